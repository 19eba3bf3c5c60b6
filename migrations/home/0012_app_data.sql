CREATE TABLE "debug_sessions" (
	"session_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"console_session_id" text,
	"project_id" bigint,
	"target" text NOT NULL,
	"scopes" text[] NOT NULL,
	"zone" text NOT NULL,
	"uses" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"ended_because" text
);
--> statement-breakpoint
CREATE TABLE "storage_access_keys" (
	"access_key_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"name" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"is_read_only" boolean DEFAULT false NOT NULL,
	"bucket_id" text,
	"expires_at" bigint,
	"last_used_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_bucket_names" (
	"bucket_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "debug_sessions_open" ON "debug_sessions" USING btree ("account_id","team_id","target") WHERE "debug_sessions"."ended_at" IS NULL;--> statement-breakpoint
CREATE INDEX "debug_sessions_of_member" ON "debug_sessions" USING btree ("account_id","team_id","session_id");--> statement-breakpoint
CREATE INDEX "debug_sessions_of_session" ON "debug_sessions" USING btree ("console_session_id");--> statement-breakpoint
CREATE INDEX "debug_sessions_over" ON "debug_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "storage_access_keys_of_project" ON "storage_access_keys" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "storage_bucket_names_of_project" ON "storage_bucket_names" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "config_files_client" ON "config_files" USING btree ("client_id");