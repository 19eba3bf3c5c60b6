CREATE TABLE "signing_held_keys" (
	"key_sha256" text PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"held_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_transport_keys" (
	"kid" bigint PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL,
	"public_key" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_upload_certs" (
	"cert_id" bigint PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"pem" text,
	"certificate" jsonb NOT NULL,
	"effective_at" bigint NOT NULL,
	"registered_by" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "app_signing_keys" ALTER COLUMN "sealed_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ALTER COLUMN "certificate" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ALTER COLUMN "cert_sha256" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "state" text DEFAULT 'STORE' NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "source" text DEFAULT 'GENERATED' NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "key_made_at" bigint;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "used_at" bigint;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "older_keys" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "lineage" text;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "rotated_at" bigint;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "developer_cert" jsonb;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "developer_cert_sha256" text;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "updated_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "app_signing_keys" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "splits" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "signing_upload_certs_active" ON "signing_upload_certs" USING btree ("app_id") WHERE "signing_upload_certs"."state" = 'ACTIVE';--> statement-breakpoint
CREATE UNIQUE INDEX "signing_upload_certs_pending" ON "signing_upload_certs" USING btree ("app_id") WHERE "signing_upload_certs"."state" = 'PENDING';--> statement-breakpoint
CREATE INDEX "signing_upload_certs_of_app" ON "signing_upload_certs" USING btree ("app_id","cert_id");--> statement-breakpoint
CREATE INDEX "signing_upload_certs_due" ON "signing_upload_certs" USING btree ("effective_at") WHERE "signing_upload_certs"."state" = 'PENDING';--> statement-breakpoint
CREATE INDEX "app_signing_keys_by_developer" ON "app_signing_keys" USING btree ("developer_cert_sha256");