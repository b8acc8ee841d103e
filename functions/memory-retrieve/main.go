// Command memory-retrieve is the Lambda function of one route: Ranked context within a token budget.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryRetrieve, memoryapi.Retrieve) }
