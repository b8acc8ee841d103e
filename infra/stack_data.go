//go:build infra

package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/jsii-runtime-go"

	"holdfast/infra/plan"
)

// dataStack holds what must not be lost: the table, the root key, and the key that
// encrypts both where it is the account's own.
func (r *renderer) dataStack(stack awscdk.Stack) {
	if r.plan.Table.OwnKey {
		r.refs[plan.TableKey] = r.key(stack)
	}
	table := r.table(stack)
	r.refs[plan.TableStream] = table.AttrStreamArn()
	secret := awssecretsmanager.NewCfnSecret(stack, jsii.String("RootKey"), &awssecretsmanager.CfnSecretProps{
		Description: jsii.String("The root key of Holdfast " + r.plan.Stage),
		GenerateSecretString: &awssecretsmanager.CfnSecret_GenerateSecretStringProperty{
			PasswordLength: jsii.Number(float64(r.plan.Secret.Characters)), ExcludeCharacters: jsii.String(punctuation),
		},
		KmsKeyId: r.refs[plan.TableKey],
	})
	r.keep(secret)
	accept(secret, "AwsSolutions-SMG4", "The root key signs cursors and is known to people; it is changed by a person, by writing a new value")
	r.refs[plan.RootSecret] = secret.Ref()
	output(stack, "RootKeySecret", "ARN of the secret that holds the root key", secret.Ref())
	output(stack, "TableName", "Name of the table", table.Ref())
}

// punctuation is left out of the root key, which people paste into commands.
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// keep decides what becomes of a resource when its stack goes.
func (r *renderer) keep(resource awscdk.CfnResource) {
	policy := awscdk.RemovalPolicy_DESTROY
	if r.plan.Table.Retained {
		policy = awscdk.RemovalPolicy_RETAIN
	}
	resource.ApplyRemovalPolicy(policy, nil)
}

func (r *renderer) table(stack awscdk.Stack) awsdynamodb.CfnTable {
	t := r.plan.Table
	table := awsdynamodb.NewCfnTable(stack, jsii.String("Table"), &awsdynamodb.CfnTableProps{
		TableName: jsii.String(t.Name), BillingMode: jsii.String("PAY_PER_REQUEST"),
		AttributeDefinitions: textAttributes(t.PK, t.SK, t.Index.PK, t.Index.SK),
		KeySchema:            keySchema(t.PK, t.SK),
		GlobalSecondaryIndexes: []any{&awsdynamodb.CfnTable_GlobalSecondaryIndexProperty{
			IndexName: jsii.String(t.Index.Name), KeySchema: keySchema(t.Index.PK, t.Index.SK),
			Projection: &awsdynamodb.CfnTable_ProjectionProperty{ProjectionType: jsii.String("ALL")},
		}},
		TimeToLiveSpecification: &awsdynamodb.CfnTable_TimeToLiveSpecificationProperty{
			AttributeName: jsii.String(t.TTL), Enabled: jsii.Bool(true),
		},
		PointInTimeRecoverySpecification: &awsdynamodb.CfnTable_PointInTimeRecoverySpecificationProperty{
			PointInTimeRecoveryEnabled: jsii.Bool(true), RecoveryPeriodInDays: jsii.Number(float64(t.BackupDays)),
		},
		StreamSpecification:       &awsdynamodb.CfnTable_StreamSpecificationProperty{StreamViewType: jsii.String(t.StreamView)},
		DeletionProtectionEnabled: jsii.Bool(t.Protected),
		SseSpecification:          r.encryption(),
	})
	r.keep(table)
	return table
}

// encryption is the account's own key; without one the table is encrypted by a key
// of AWS's own.
func (r *renderer) encryption() any {
	if !r.plan.Table.OwnKey {
		return nil
	}
	return &awsdynamodb.CfnTable_SSESpecificationProperty{
		SseEnabled: jsii.Bool(true), SseType: jsii.String("KMS"), KmsMasterKeyId: r.refs[plan.TableKey],
	}
}

func textAttributes(names ...string) []any {
	var out []any
	for _, name := range names {
		out = append(out, &awsdynamodb.CfnTable_AttributeDefinitionProperty{AttributeName: jsii.String(name), AttributeType: jsii.String("S")})
	}
	return out
}

func keySchema(partition, sort string) []any {
	return []any{
		&awsdynamodb.CfnTable_KeySchemaProperty{AttributeName: jsii.String(partition), KeyType: jsii.String("HASH")},
		&awsdynamodb.CfnTable_KeySchemaProperty{AttributeName: jsii.String(sort), KeyType: jsii.String("RANGE")},
	}
}

// key is managed by the account, whose policies say who may use it.
func (r *renderer) key(stack awscdk.Stack) *string {
	key := awskms.NewCfnKey(stack, jsii.String("Key"), &awskms.CfnKeyProps{
		Description: jsii.String("Encrypts the table and the root key of Holdfast " + r.plan.Stage), EnableKeyRotation: jsii.Bool(true),
		KeyPolicy: policy(object{
			"Effect": "Allow", "Principal": object{"AWS": r.text("arn:${AWS::Partition}:iam::${AWS::AccountId}:root")},
			"Action": "kms:*", "Resource": "*", // in a key's policy both mean this key
		}),
	})
	r.keep(key)
	awskms.NewCfnAlias(stack, jsii.String("KeyName"), &awskms.CfnAliasProps{
		AliasName: jsii.String("alias/" + r.plan.Prefix), TargetKeyId: key.Ref(),
	})
	return key.AttrArn()
}
