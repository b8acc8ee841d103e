// Command memory-changes is the Lambda function of one route: The change feed of the workspace, all families.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryChanges, memoryapi.Changes) }
