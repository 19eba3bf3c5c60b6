CREATE TABLE "rcs_reads" (
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"team_id" bigint NOT NULL,
	"read_at" bigint NOT NULL,
	CONSTRAINT "rcs_reads_project_id_kind_key_pk" PRIMARY KEY("project_id","kind","key")
);
--> statement-breakpoint
ALTER TABLE "rcs_templates" ADD COLUMN "values_since" jsonb DEFAULT '{}'::jsonb NOT NULL;