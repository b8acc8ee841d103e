// Command agents-users-erase is the Lambda function of one route: Erase an end user's folder.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.AgentsUsersErase, factapi.EraseUser) }
