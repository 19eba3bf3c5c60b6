CREATE TABLE "app_moves" (
	"move_id" bigint PRIMARY KEY NOT NULL,
	"from_team_id" bigint NOT NULL,
	"to_team_id" bigint NOT NULL,
	"to_project_id" bigint,
	"zone" text NOT NULL,
	"app_ids" bigint[] NOT NULL,
	"apps" jsonb NOT NULL,
	"keeps_testers" boolean NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"blocks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"job_id" bigint,
	"expires_at" bigint NOT NULL,
	"created_by" bigint NOT NULL,
	"answered_by" bigint,
	"finished_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "app_moves_from" ON "app_moves" USING btree ("from_team_id","move_id");--> statement-breakpoint
CREATE INDEX "app_moves_to" ON "app_moves" USING btree ("to_team_id","move_id");--> statement-breakpoint
CREATE INDEX "app_moves_open" ON "app_moves" USING btree ("expires_at") WHERE "app_moves"."state" IN ('WAIT_ACCEPT', 'EXECUTING');--> statement-breakpoint
CREATE INDEX "app_moves_done" ON "app_moves" USING btree ("finished_at") WHERE "app_moves"."state" = 'DONE';