CREATE TABLE "roll_forwards" (
	"pkg_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"bad_version_id" bigint NOT NULL,
	"target_version_id" bigint NOT NULL,
	"state" text NOT NULL,
	"version_id" bigint,
	"reason" text NOT NULL,
	"started_by" bigint,
	"started_at" bigint NOT NULL,
	"ended_at" bigint
);
--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "rebuilt_from" jsonb;--> statement-breakpoint
ALTER TABLE "phased_releases" ADD COLUMN "only_over" bigint;--> statement-breakpoint
CREATE INDEX "roll_forwards_of_bad" ON "roll_forwards" USING btree ("bad_version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "roll_forwards_building" ON "roll_forwards" USING btree ("app_id") WHERE "roll_forwards"."state" = 'BUILDING';