package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CreateTable makes the table for tests and emulators, without expiry, and waits
// until it can be used; one that is there is left as it is. A deployment makes its own,
// with a stream, expiry by the attribute ttl, and backups.
func (s *Store) CreateTable(ctx context.Context) error {
	t := s.begin(ctx, read)
	_, err := s.client.CreateTable(ctx, s.definition(), t.use)
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return t.fail(ctx, "CreateTable", err)
	}
	ready := dynamodb.NewTableExistsWaiter(s.client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, 5*time.Second
	})
	err = ready.Wait(ctx, &dynamodb.DescribeTableInput{TableName: s.table}, 2*time.Minute)
	return t.fail(ctx, "DescribeTable", err)
}

// DropTable removes the table and all that is in it; one that is not there is fine.
func (s *Store) DropTable(ctx context.Context) error {
	t := s.begin(ctx, read)
	_, err := s.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: s.table}, t.use)
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil
	}
	return t.fail(ctx, "DeleteTable", err)
}

func (s *Store) definition() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:            s.table,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: textAttributes(attrPK, attrSK, attrDuePK, attrDueSK),
		KeySchema:            keySchema(attrPK, attrSK),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String(indexDue),
			KeySchema:  keySchema(attrDuePK, attrDueSK),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	}
}

func textAttributes(names ...string) []types.AttributeDefinition {
	var all []types.AttributeDefinition
	for _, name := range names {
		all = append(all, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS})
	}
	return all
}

func keySchema(partition, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(partition), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange},
	}
}
