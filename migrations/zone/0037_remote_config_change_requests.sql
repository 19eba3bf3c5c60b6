CREATE TABLE "rcs_change_requests" (
	"change_request_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"content" jsonb NOT NULL,
	"base_version" integer NOT NULL,
	"base_digest" text NOT NULL,
	"published_version" integer,
	"round" integer DEFAULT 1 NOT NULL,
	"due_at" bigint,
	"created_at" bigint NOT NULL,
	"created_by" bigint,
	"written_by" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rcs_votes" (
	"vote_id" bigint PRIMARY KEY NOT NULL,
	"change_request_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"round" integer NOT NULL,
	"verdict" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"voted_at" bigint NOT NULL,
	"voted_by" bigint
);
--> statement-breakpoint
ALTER TABLE "rcs_settings" ADD COLUMN "approvals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "rcs_change_requests_of_project" ON "rcs_change_requests" USING btree ("project_id","kind","change_request_id");--> statement-breakpoint
CREATE INDEX "rcs_change_requests_due" ON "rcs_change_requests" USING btree ("state","due_at");--> statement-breakpoint
CREATE INDEX "rcs_votes_of_request" ON "rcs_votes" USING btree ("change_request_id","round");