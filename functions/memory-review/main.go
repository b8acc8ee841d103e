// Command memory-review is the Lambda function of one route: Release or reject a quarantined entry.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryReview, memoryapi.Review) }
