package opensearch

import "context"

// testContext outlives the test, for what cleans up after it.
func testContext() context.Context { return context.Background() }
