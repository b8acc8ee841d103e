// Command memory-explain is the Lambda function of one route: Where an entry comes from, what came of it and who was handed it.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryExplain, memoryapi.Explain) }
