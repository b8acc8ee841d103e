// Command admin-keys-delete is the Lambda function of one route: Revoke a key.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AdminKeysDelete, adminapi.KeysDelete) }
