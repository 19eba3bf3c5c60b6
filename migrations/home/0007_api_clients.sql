CREATE TABLE "api_clients" (
	"client_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"zones" text[] NOT NULL,
	"state" text NOT NULL,
	"project_id" bigint,
	"app_id" bigint,
	"redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"tokens_after" bigint DEFAULT '0' NOT NULL,
	"expires_at" bigint,
	"last_used_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_grants" (
	"grant_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"client_id" bigint NOT NULL,
	"client_team_id" bigint NOT NULL,
	"client_name" text NOT NULL,
	"permissions" text[] NOT NULL,
	"scope" jsonb NOT NULL,
	"granted_by" bigint NOT NULL,
	"granted_at" bigint NOT NULL,
	"request_id" text,
	"ended_at" bigint,
	"ended_by" bigint
);
--> statement-breakpoint
CREATE TABLE "client_keys" (
	"key_id" bigint PRIMARY KEY NOT NULL,
	"client_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"kid" text NOT NULL,
	"name" text NOT NULL,
	"algorithm" text NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"is_made_here" boolean NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_secrets" (
	"secret_id" bigint PRIMARY KEY NOT NULL,
	"client_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"expires_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_revoked_tokens" (
	"jti" bigint PRIMARY KEY NOT NULL,
	"client_id" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_private" text NOT NULL,
	"signs_from" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_used_assertions" (
	"client_id" bigint NOT NULL,
	"jti_hash" text NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "client_used_assertions_client_id_jti_hash_pk" PRIMARY KEY("client_id","jti_hash")
);
--> statement-breakpoint
CREATE INDEX "api_clients_of_team" ON "api_clients" USING btree ("team_id","kind","client_id");--> statement-breakpoint
CREATE INDEX "api_clients_of_person" ON "api_clients" USING btree ("created_by") WHERE "api_clients"."kind" IN ('user', 'debug');--> statement-breakpoint
CREATE INDEX "api_clients_of_app" ON "api_clients" USING btree ("app_id") WHERE "api_clients"."app_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "client_grants_live" ON "client_grants" USING btree ("client_id","team_id") WHERE "client_grants"."ended_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "client_grants_request" ON "client_grants" USING btree ("request_id") WHERE "client_grants"."request_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "client_grants_of_team" ON "client_grants" USING btree ("team_id","grant_id");--> statement-breakpoint
CREATE INDEX "client_grants_of_client" ON "client_grants" USING btree ("client_team_id","client_id","grant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_keys_kid" ON "client_keys" USING btree ("client_id","kid");--> statement-breakpoint
CREATE INDEX "client_secrets_of_client" ON "client_secrets" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "client_revoked_tokens_of" ON "client_revoked_tokens" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "client_revoked_tokens_ending" ON "client_revoked_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "client_used_assertions_ending" ON "client_used_assertions" USING btree ("expires_at");