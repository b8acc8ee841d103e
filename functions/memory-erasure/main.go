// Command memory-erasure is the Lambda function of one route: Where an erasure stands.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryErasure, memoryapi.Erasure) }
