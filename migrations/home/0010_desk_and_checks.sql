CREATE TABLE "lifecycle_kept" (
	"row_id" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"titles" jsonb NOT NULL,
	"texts" jsonb NOT NULL,
	"link" text NOT NULL,
	"countries" text[] NOT NULL,
	"kind_tags" integer[] NOT NULL,
	"start_at" bigint,
	"end_at" bigint,
	"place" integer NOT NULL,
	"is_shown" boolean NOT NULL,
	"updated_by" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lifecycle_words" (
	"word_id" bigint PRIMARY KEY NOT NULL,
	"language" text NOT NULL,
	"word" text NOT NULL,
	"word_key" text NOT NULL,
	"topic" text NOT NULL,
	"level" text NOT NULL,
	"is_off" boolean NOT NULL,
	"note" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_auto_rules" (
	"one" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"is_on" boolean NOT NULL,
	"passes_listings" boolean NOT NULL,
	"passes_updates" boolean NOT NULL,
	"clean_days" integer NOT NULL,
	"sample_percent" integer NOT NULL,
	"changed_by" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_policies" (
	"policy_id" text NOT NULL,
	"version" integer NOT NULL,
	"titles" jsonb NOT NULL,
	"texts" jsonb NOT NULL,
	"is_retired" boolean NOT NULL,
	"published_by" bigint NOT NULL,
	"published_at" bigint NOT NULL,
	CONSTRAINT "review_policies_policy_id_version_pk" PRIMARY KEY("policy_id","version")
);
--> statement-breakpoint
CREATE INDEX "lifecycle_kept_of_kind" ON "lifecycle_kept" USING btree ("kind","place","row_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lifecycle_words_by_key" ON "lifecycle_words" USING btree ("language","word_key");