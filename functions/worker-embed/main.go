// Command worker-embed is the Lambda function of one worker: Embeds what was deferred.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.WorkerEmbed) }
