// Command admin-keys-list is the Lambda function of one route: List keys without secrets.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminKeysList, adminapi.KeysList) }
