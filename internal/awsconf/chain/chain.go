// Package chain finds AWS credentials the way the SDK does by default: shared files
// and profiles, single sign-on, container and instance roles. It is apart from awsconf
// because it links the clients of all these; only entry points outside Lambda need it.
//
// It may import the AWS SDK.
package chain

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
)

// Credentials is an awsconf.Fallback. It looks once whether the chain yields
// anything, so that a program without credentials says so at its start.
func Credentials(ctx context.Context) (aws.CredentialsProvider, error) {
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.Credentials.Retrieve(ctx); err != nil {
		return nil, err
	}
	return c.Credentials, nil
}
