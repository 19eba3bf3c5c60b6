CREATE TABLE "collect_events" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"day" text NOT NULL,
	"name" text NOT NULL,
	"at" bigint NOT NULL,
	"sent_at" bigint,
	"received_at" bigint NOT NULL,
	"person" text NOT NULL,
	"is_daily_person" boolean NOT NULL,
	"page_name" text NOT NULL,
	"page" text NOT NULL,
	"action" text,
	"face" text,
	"service_item" text NOT NULL,
	"language" text NOT NULL,
	"domain" text NOT NULL,
	"product_id" text,
	"app_id" text,
	"user_type" text,
	"country_id" text,
	"said_team_id" text,
	"team_id" bigint,
	"child_type" text,
	"source_channel" text,
	"url_ref" text,
	"grey_flag" integer NOT NULL,
	"props" jsonb NOT NULL,
	"is_bot" boolean NOT NULL,
	"is_late" boolean NOT NULL,
	"is_clock_fixed" boolean NOT NULL,
	"is_cut" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "collect_salts" (
	"day" text PRIMARY KEY NOT NULL,
	"salt" text NOT NULL,
	"made_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clue_behaviors" (
	"behavior_id" bigint PRIMARY KEY NOT NULL,
	"session" text NOT NULL,
	"data_type" text NOT NULL,
	"service_id" text NOT NULL,
	"service_code" text NOT NULL,
	"menu_id" text NOT NULL,
	"team_id" bigint,
	"visit" text,
	"at" bigint NOT NULL,
	CONSTRAINT "clue_behaviors_once" UNIQUE("session","data_type","service_id")
);
--> statement-breakpoint
CREATE INDEX "collect_events_of_day" ON "collect_events" USING btree ("day");--> statement-breakpoint
CREATE INDEX "collect_events_of_team" ON "collect_events" USING btree ("team_id","day");--> statement-breakpoint
CREATE INDEX "clue_behaviors_of_team" ON "clue_behaviors" USING btree ("team_id","service_id","at");--> statement-breakpoint
CREATE INDEX "clue_behaviors_unattached" ON "clue_behaviors" USING btree ("visit") WHERE "clue_behaviors"."team_id" IS NULL;--> statement-breakpoint
CREATE INDEX "clue_behaviors_at" ON "clue_behaviors" USING btree ("at");