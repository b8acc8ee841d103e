// Command memory-consolidate is the Lambda function of one route: End a run: make its episode, facts and procedures, and clear its session.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryConsolidate, memoryapi.Consolidate) }
