// Command memory-share is the Lambda function of one route: Copy an entry into another layer or workspace.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryShare, memoryapi.Share) }
