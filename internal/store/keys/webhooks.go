package keys

import (
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// WebhookMark is P / MARK#events: there while the workspace has webhooks, always due.
func WebhookMark(s tenant.Scope) store.Key {
	return store.Key{PK: prefix(s), SK: "MARK" + sep + "events"}
}

// Webhook is P#WH / {id}.
func Webhook(s tenant.Scope, id string) store.Key { return store.Key{PK: WebhookPK(s), SK: id} }

// WebhookPK is the partition of a workspace's webhooks.
func WebhookPK(s tenant.Scope) string { return prefix(s) + "#WH" }

// WebhookLane is P#WL / {webhook}: who delivers to a webhook just now.
func WebhookLane(s tenant.Scope, webhookID string) store.Key {
	return store.Key{PK: WebhookLanePK(s), SK: webhookID}
}

// WebhookLanePK is the partition of a workspace's lanes.
func WebhookLanePK(s tenant.Scope) string { return prefix(s) + "#WL" }

// Delivery is P#WD#{webhook} / {id}: ids are in the order of the log.
func Delivery(s tenant.Scope, webhookID, id string) store.Key {
	return store.Key{PK: DeliveryPK(s, webhookID), SK: id}
}

// DeliveryPK is the partition of a webhook's deliveries.
func DeliveryPK(s tenant.Scope, webhookID string) string { return prefix(s) + "#WD#" + webhookID }

// DeliveryDue is P#WQ#{webhook} / {milliseconds}#{delivery}: when an open delivery is
// tried next.
func DeliveryDue(s tenant.Scope, webhookID string, at time.Time, id string) store.Key {
	return store.Key{PK: DeliveryDuePK(s, webhookID), SK: Number(at.UnixMilli()) + sep + id}
}

// DeliveryDuePK is the partition of a webhook's open deliveries, soonest first.
func DeliveryDuePK(s tenant.Scope, webhookID string) string { return prefix(s) + "#WQ#" + webhookID }
