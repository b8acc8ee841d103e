// Command memory-quarantine is the Lambda function of one route: List entries in quarantine.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryQuarantine, memoryapi.QuarantineList) }
