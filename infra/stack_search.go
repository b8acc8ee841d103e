//go:build infra

package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsopensearchservice"
	"github.com/aws/jsii-runtime-go"

	"holdfast/infra/plan"
)

// searchStack holds the domain. It keeps nothing that the table does not have: the
// index is built anew from there.
func (r *renderer) searchStack(stack awscdk.Stack) {
	d := *r.plan.Domain
	on := jsii.Bool(true)
	domain := awsopensearchservice.NewCfnDomain(stack, jsii.String("Domain"), &awsopensearchservice.CfnDomainProps{
		DomainName: jsii.String(d.Name), EngineVersion: jsii.String(d.Version), ClusterConfig: cluster(d),
		EbsOptions: &awsopensearchservice.CfnDomain_EBSOptionsProperty{
			EbsEnabled: on, VolumeType: jsii.String("gp3"), VolumeSize: jsii.Number(float64(d.GB)),
		},
		EncryptionAtRestOptions:     &awsopensearchservice.CfnDomain_EncryptionAtRestOptionsProperty{Enabled: on, KmsKeyId: r.refs[plan.TableKey]},
		NodeToNodeEncryptionOptions: &awsopensearchservice.CfnDomain_NodeToNodeEncryptionOptionsProperty{Enabled: on},
		DomainEndpointOptions: &awsopensearchservice.CfnDomain_DomainEndpointOptionsProperty{
			EnforceHttps: on, TlsSecurityPolicy: jsii.String("Policy-Min-TLS-1-2-PFS-2023-10"),
		},
		AdvancedSecurityOptions: fineAccess(d),
		SoftwareUpdateOptions:   &awsopensearchservice.CfnDomain_SoftwareUpdateOptionsProperty{AutoSoftwareUpdateEnabled: on},
		AccessPolicies: policy(object{ // leaves it to the policies of the account's roles
			"Effect": "Allow", "Principal": object{"AWS": r.text("arn:${AWS::Partition}:iam::${AWS::AccountId}:root")},
			"Action": actionsOfSearch, "Resource": r.text(d.ARN() + "/*"),
		}),
	})
	domain.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY, nil)
	acceptDomain(domain, d)
	r.refs[plan.SearchEndpoint] = awscdk.Fn_Join(jsii.String(""), &[]*string{jsii.String("https://"), domain.AttrDomainEndpoint()})
	if d.FineAccess {
		output(stack, "SearchRoles", "Backend roles to map to a role of the domain that may use its indexes",
			r.text("arn:${AWS::Partition}:iam::${AWS::AccountId}:role/"+r.plan.Prefix+"-*"))
	}
	output(stack, "SearchEndpoint", "Address of the search domain", r.refs[plan.SearchEndpoint])
}

var actionsOfSearch = []string{"es:ESHttpDelete", "es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost", "es:ESHttpPut"}

func cluster(d plan.Domain) any {
	c := &awsopensearchservice.CfnDomain_ClusterConfigProperty{
		InstanceType: jsii.String(d.Instance), InstanceCount: jsii.Number(float64(d.Nodes)),
		ZoneAwarenessEnabled: jsii.Bool(d.Zones > 1), DedicatedMasterEnabled: jsii.Bool(d.Managers > 0),
	}
	if d.Zones > 1 {
		c.ZoneAwarenessConfig = &awsopensearchservice.CfnDomain_ZoneAwarenessConfigProperty{AvailabilityZoneCount: jsii.Number(float64(d.Zones))}
	}
	if d.Managers > 0 {
		c.DedicatedMasterCount, c.DedicatedMasterType = jsii.Number(float64(d.Managers)), jsii.String(d.Manager)
	}
	return c
}

func fineAccess(d plan.Domain) any {
	if !d.FineAccess {
		return nil
	}
	return &awsopensearchservice.CfnDomain_AdvancedSecurityOptionsInputProperty{
		Enabled: jsii.Bool(true), InternalUserDatabaseEnabled: jsii.Bool(false),
		MasterUserOptions: &awsopensearchservice.CfnDomain_MasterUserOptionsProperty{MasterUserArn: jsii.String(d.Master)},
	}
}

func acceptDomain(domain awsopensearchservice.CfnDomain, d plan.Domain) {
	accept(domain, "AwsSolutions-OS1", "Reached over TLS with signed requests only; a network of its own would need gateways for every function")
	accept(domain, "AwsSolutions-OS3", "Functions have no fixed addresses; who may call is decided by the roles that sign")
	accept(domain, "AwsSolutions-OS9", "Slow logs repeat what was searched for, and logs never hold content (T.29)")
	if d.Managers == 0 {
		accept(domain, "AwsSolutions-OS4", "A small deployment by the operator's choice; the production preset has dedicated managers")
	}
	if d.Zones == 1 {
		accept(domain, "AwsSolutions-OS7", "A small deployment by the operator's choice; the production preset spans three zones")
	}
}
