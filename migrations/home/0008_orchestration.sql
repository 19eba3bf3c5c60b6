CREATE TABLE "process_versions" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"definition_id" text NOT NULL,
	"process_id" text NOT NULL,
	"version" integer NOT NULL,
	"state" text NOT NULL,
	"origin" text NOT NULL,
	"digest" text NOT NULL,
	"body" jsonb NOT NULL,
	"note" text NOT NULL,
	"created_by" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "process_versions_by_name" ON "process_versions" USING btree ("definition_id","process_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "process_versions_active" ON "process_versions" USING btree ("definition_id","process_id") WHERE state = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "process_versions_draft" ON "process_versions" USING btree ("definition_id","process_id") WHERE state = 'draft';--> statement-breakpoint
CREATE INDEX "process_versions_by_state" ON "process_versions" USING btree ("state");