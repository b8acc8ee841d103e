//go:build infra

package main

import (
	"encoding/json"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"holdfast/infra/plan"
)

// apiStack holds the HTTP API, what answers unknown paths, and a nested stack for
// each family of routes: AWS takes no more than 500 resources in one.
func (r *renderer) apiStack(stack awscdk.Stack) {
	api := r.api(stack)
	r.refs[plan.APIID] = api.Ref()
	for _, f := range r.plan.Of(plan.APIStack) {
		r.routed(stack, f)
	}
	for _, family := range r.plan.Families() {
		nested := awscdk.NewNestedStack(stack, jsii.String(camel(family)), &awscdk.NestedStackProps{
			Description: jsii.String("Holdfast " + r.plan.Stage + ": routes of the family " + family),
		})
		r.stacks[family] = nested
		for _, f := range r.plan.Of(family) {
			r.routed(nested, f)
		}
	}
	for _, a := range r.plan.Alarms {
		if a.Stack == plan.APIStack {
			r.alarm(stack, a)
		}
	}
	r.dashboard(stack)
	output(stack, "Endpoint", "Address of the service", api.AttrApiEndpoint())
}

func (r *renderer) api(stack awscdk.Stack) awsapigatewayv2.CfnApi {
	a := r.plan.API
	props := &awsapigatewayv2.CfnApiProps{Name: jsii.String(a.Name), ProtocolType: jsii.String("HTTP"), Description: jsii.String("Holdfast " + r.plan.Stage)}
	if c := a.CORS; c != nil {
		props.CorsConfiguration = &awsapigatewayv2.CfnApi_CorsProperty{
			AllowOrigins: jsii.Strings(c.Origins...), AllowMethods: jsii.Strings(c.Methods...), AllowHeaders: jsii.Strings(c.Headers...),
			ExposeHeaders: jsii.Strings(c.Exposed...), MaxAge: jsii.Number(float64(c.MaxAgeSeconds)), AllowCredentials: jsii.Bool(false),
		}
	}
	api := awsapigatewayv2.NewCfnApi(stack, jsii.String("Api"), props)
	logs := r.logGroup(stack, "AccessLog", a.LogGroup)
	line, err := json.Marshal(a.AccessLog)
	if err != nil {
		panic(err) // a map of texts always has a form
	}
	awsapigatewayv2.NewCfnStage(stack, jsii.String("Stage"), &awsapigatewayv2.CfnStageProps{
		ApiId: api.Ref(), StageName: jsii.String("$default"), AutoDeploy: jsii.Bool(true),
		AccessLogSettings: &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{DestinationArn: logs.AttrArn(), Format: jsii.String(string(line))},
		// Metrics by route would be paid for one by one; those of the routes' functions come for nothing.
		DefaultRouteSettings: &awsapigatewayv2.CfnStage_RouteSettingsProperty{
			ThrottlingRateLimit: jsii.Number(float64(a.Rate)), ThrottlingBurstLimit: jsii.Number(float64(a.Burst)), DetailedMetricsEnabled: jsii.Bool(false),
		},
	})
	return api
}

// routed makes a function and the route that it answers.
func (r *renderer) routed(stack constructs.Construct, f plan.Function) {
	id := camel(f.ID)
	function := r.function(stack, f)
	integration := awsapigatewayv2.NewCfnIntegration(stack, jsii.String(id+"Integration"), &awsapigatewayv2.CfnIntegrationProps{
		ApiId: r.refs[plan.APIID], IntegrationType: jsii.String("AWS_PROXY"), IntegrationUri: function.AttrArn(),
		PayloadFormatVersion: jsii.String("2.0"), TimeoutInMillis: jsii.Number(float64(f.Route.TimeoutMS)),
	})
	route := awsapigatewayv2.NewCfnRoute(stack, jsii.String(id+"Route"), &awsapigatewayv2.CfnRouteProps{
		ApiId: r.refs[plan.APIID], RouteKey: jsii.String(f.Route.Key), AuthorizationType: jsii.String("NONE"),
		Target: awscdk.Fn_Join(jsii.String("/"), &[]*string{jsii.String("integrations"), integration.Ref()}),
	})
	accept(route, "AwsSolutions-APIG4", "The function itself checks the bearer key, so that a revoked one is refused at once and errors are exact")
	permit(stack, id+"Permission", "apigateway.amazonaws.com", function, r.text(f.Route.Source))
}

func (r *renderer) dashboard(stack awscdk.Stack) {
	body, err := r.plan.Dashboard()
	if err != nil {
		panic(err) // the plan's tests read it
	}
	awscloudwatch.NewCfnDashboard(stack, jsii.String("Board"), &awscloudwatch.CfnDashboardProps{
		DashboardName: jsii.String(r.plan.Prefix), DashboardBody: r.text(body),
	})
	output(stack, "Dashboard", "Address of the dashboard", r.text(
		"https://${AWS::Region}.console.aws.amazon.com/cloudwatch/home?region=${AWS::Region}#dashboards:name="+r.plan.Prefix))
}
