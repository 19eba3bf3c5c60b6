CREATE TABLE "app_user_recovery_codes" (
	"uid" bigint NOT NULL,
	"code_hash" text NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"used_at" bigint,
	CONSTRAINT "app_user_recovery_codes_uid_code_hash_pk" PRIMARY KEY("uid","code_hash")
);
--> statement-breakpoint
CREATE TABLE "app_user_totp" (
	"uid" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"sealed_secret" text NOT NULL,
	"last_step" integer NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_auth_tickets" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"uid" bigint NOT NULL,
	"provider" integer NOT NULL,
	"requester" text NOT NULL,
	"sealed_secret" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "app_auth_grants" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"client_id" bigint NOT NULL,
	"uid" bigint NOT NULL,
	"family_id" bigint NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text NOT NULL,
	"nonce" text NOT NULL,
	"scope" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "app_user_import_keys" (
	"import_id" bigint NOT NULL,
	"key" uuid NOT NULL,
	"index" integer NOT NULL,
	"team_id" bigint NOT NULL,
	CONSTRAINT "app_user_import_keys_import_id_key_pk" PRIMARY KEY("import_id","key")
);
--> statement-breakpoint
CREATE INDEX "app_auth_tickets_over" ON "app_auth_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "app_auth_grants_over" ON "app_auth_grants" USING btree ("expires_at");