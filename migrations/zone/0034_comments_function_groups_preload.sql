CREATE TABLE "fn_groups" (
	"service_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"alias_name" text NOT NULL,
	"release_number" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fn_group_members" (
	"service_id" bigint NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	CONSTRAINT "fn_group_members_service_id_function_id_pk" PRIMARY KEY("service_id","function_id")
);
--> statement-breakpoint
CREATE TABLE "fn_group_releases" (
	"service_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"description" text NOT NULL,
	"versions" jsonb NOT NULL,
	"of_number" integer,
	"released_at" bigint NOT NULL,
	"released_by" bigint,
	CONSTRAINT "fn_group_releases_service_id_number_pk" PRIMARY KEY("service_id","number")
);
--> statement-breakpoint
CREATE TABLE "preload_answers" (
	"policy_id" bigint NOT NULL,
	"asked_sha256" text NOT NULL,
	"team_id" bigint NOT NULL,
	"body" text NOT NULL,
	"content_type" text NOT NULL,
	"etag" text NOT NULL,
	"fresh_until" bigint NOT NULL,
	"kept_until" bigint NOT NULL,
	CONSTRAINT "preload_answers_policy_id_asked_sha256_pk" PRIMARY KEY("policy_id","asked_sha256")
);
--> statement-breakpoint
CREATE TABLE "preload_counts" (
	"policy_id" bigint NOT NULL,
	"hour_at" bigint NOT NULL,
	"outcome" text NOT NULL,
	"up_to_ms" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"requests" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "preload_counts_policy_id_hour_at_outcome_up_to_ms_pk" PRIMARY KEY("policy_id","hour_at","outcome","up_to_ms")
);
--> statement-breakpoint
CREATE TABLE "preload_policies" (
	"policy_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"function_name" text,
	"qualifier" text,
	"url" text,
	"is_enabled" boolean NOT NULL,
	"timeout_sec" integer NOT NULL,
	"cache_ttl_sec" integer NOT NULL,
	"last_status" integer,
	"last_problem" text,
	"last_asked_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "preload_registrations" (
	"policy_id" bigint NOT NULL,
	"asked_sha256" text NOT NULL,
	"team_id" bigint NOT NULL,
	"sealed" text NOT NULL,
	"next_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	CONSTRAINT "preload_registrations_policy_id_asked_sha256_pk" PRIMARY KEY("policy_id","asked_sha256")
);
--> statement-breakpoint
CREATE TABLE "comment_replies" (
	"reply_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"comment_id" bigint NOT NULL,
	"author_id" bigint NOT NULL,
	"text" text NOT NULL,
	"shown_text" text,
	"state" text NOT NULL,
	"reason" text,
	"published_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comment_reports" (
	"report_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"comment_id" bigint NOT NULL,
	"policy_id" text NOT NULL,
	"note" text NOT NULL,
	"state" text NOT NULL,
	"reported_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"decided_at" bigint,
	"decided_by" bigint,
	"answer" text DEFAULT '' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comment_votes" (
	"comment_id" bigint NOT NULL,
	"device" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "comment_votes_comment_id_device_pk" PRIMARY KEY("comment_id","device")
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"comment_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"author" text NOT NULL,
	"is_test" boolean NOT NULL,
	"stars" integer NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"haystack" text NOT NULL,
	"nickname" text NOT NULL,
	"language" text,
	"country" text,
	"device" text,
	"version_id" bigint NOT NULL,
	"version_code" text NOT NULL,
	"version_name" text NOT NULL,
	"helpful" bigint DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"hidden_at" bigint,
	"replied_at" bigint,
	"source" text,
	"edit_day" text NOT NULL,
	"edits" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"written_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comments_seen" (
	"app_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "comments_seen_app_id_account_id_pk" PRIMARY KEY("app_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "comments_told" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"waiting_since" bigint,
	"told_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_installations" (
	"app_id" bigint NOT NULL,
	"device" text NOT NULL,
	"team_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"version_code" text NOT NULL,
	"version_name" text NOT NULL,
	"secret" text,
	"source" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "store_installations_app_id_device_pk" PRIMARY KEY("app_id","device")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "fn_groups_by_name" ON "fn_groups" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "fn_groups_of_team" ON "fn_groups" USING btree ("team_id","service_id");--> statement-breakpoint
CREATE INDEX "fn_group_members_of_function" ON "fn_group_members" USING btree ("function_id");--> statement-breakpoint
CREATE INDEX "preload_answers_ending" ON "preload_answers" USING btree ("kept_until");--> statement-breakpoint
CREATE INDEX "preload_counts_ending" ON "preload_counts" USING btree ("hour_at");--> statement-breakpoint
CREATE UNIQUE INDEX "preload_policies_of_app" ON "preload_policies" USING btree ("app_id","kind");--> statement-breakpoint
CREATE INDEX "preload_policies_of_project" ON "preload_policies" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "preload_registrations_due" ON "preload_registrations" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "preload_registrations_ending" ON "preload_registrations" USING btree ("ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "comment_replies_of_comment" ON "comment_replies" USING btree ("comment_id") WHERE "comment_replies"."state" <> 'DELETED';--> statement-breakpoint
CREATE INDEX "comment_replies_of_app" ON "comment_replies" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "comment_replies_waiting" ON "comment_replies" USING btree ("updated_at") WHERE "comment_replies"."state" = 'PENDING_CHECK';--> statement-breakpoint
CREATE UNIQUE INDEX "comment_reports_open" ON "comment_reports" USING btree ("comment_id") WHERE "comment_reports"."state" = 'OPEN';--> statement-breakpoint
CREATE INDEX "comment_reports_desk" ON "comment_reports" USING btree ("state","report_id");--> statement-breakpoint
CREATE INDEX "comment_reports_of_team" ON "comment_reports" USING btree ("team_id","created_at");--> statement-breakpoint
CREATE INDEX "comment_reports_of_app" ON "comment_reports" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "comment_votes_of_app" ON "comment_votes" USING btree ("app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "comments_of_author" ON "comments" USING btree ("app_id","author","is_test") WHERE "comments"."state" <> 'DELETED';--> statement-breakpoint
CREATE INDEX "comments_of_app" ON "comments" USING btree ("app_id","is_test","comment_id");--> statement-breakpoint
CREATE INDEX "comments_helpful" ON "comments" USING btree ("app_id","helpful","comment_id") WHERE NOT "comments"."is_test";--> statement-breakpoint
CREATE INDEX "comments_source" ON "comments" USING btree ("source");--> statement-breakpoint
CREATE INDEX "comments_of_team" ON "comments" USING btree ("team_id","comment_id");--> statement-breakpoint
CREATE INDEX "comments_seen_by" ON "comments_seen" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "store_installations_source" ON "store_installations" USING btree ("source");