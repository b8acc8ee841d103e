// Command admin-keys-create is the Lambda function of one route: Make a key; its secret is shown once.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminKeysCreate, adminapi.KeysCreate) }
