// Command fallback is the Lambda function that answers what no route takes.
package main

import "holdfast/internal/app/awsapp"

func main() { awsapp.Fallback() }
