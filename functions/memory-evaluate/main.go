// Command memory-evaluate is the Lambda function of one route: Measure recall against expected answers.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.MemoryEvaluate, memoryapi.Evaluate) }
