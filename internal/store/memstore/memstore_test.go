package memstore_test

import (
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
	"holdfast/internal/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(testing.TB) store.Store { return memstore.New() })
}
