CREATE TABLE "consents" (
	"consent_id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"is_agree" boolean NOT NULL,
	"signed_at" bigint NOT NULL,
	"method" text NOT NULL,
	"ip" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "developer_agreements" (
	"agreement_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"country" text NOT NULL,
	"language" text NOT NULL,
	"version" integer NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"body_hash" text NOT NULL,
	"state" text NOT NULL,
	"effective_at" bigint,
	"note" text DEFAULT '' NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agreement_documents" (
	"document_id" bigint PRIMARY KEY NOT NULL,
	"agr_type" integer NOT NULL,
	"branch_id" integer NOT NULL,
	"country" text NOT NULL,
	"version" integer NOT NULL,
	"state" text NOT NULL,
	"effective_at" bigint,
	"grace_days" integer NOT NULL,
	"require_resign" boolean NOT NULL,
	"published_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agreement_kinds" (
	"agr_type" integer NOT NULL,
	"branch_id" integer NOT NULL,
	"name" jsonb NOT NULL,
	"signer" text NOT NULL,
	"is_required" boolean NOT NULL,
	"is_withdrawable" boolean NOT NULL,
	"permissions" text[] NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "agreement_kinds_agr_type_branch_id_pk" PRIMARY KEY("agr_type","branch_id")
);
--> statement-breakpoint
CREATE TABLE "agreement_signs" (
	"sign_id" bigint PRIMARY KEY NOT NULL,
	"agr_type" integer NOT NULL,
	"branch_id" integer NOT NULL,
	"country" text NOT NULL,
	"language" text NOT NULL,
	"version" integer NOT NULL,
	"document_id" bigint NOT NULL,
	"is_agree" boolean NOT NULL,
	"body_hash" text NOT NULL,
	"signed_at" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"method" text NOT NULL,
	"ip" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "agreement_team_signs" (
	"sign_id" bigint PRIMARY KEY NOT NULL,
	"agr_type" integer NOT NULL,
	"branch_id" integer NOT NULL,
	"country" text NOT NULL,
	"language" text NOT NULL,
	"version" integer NOT NULL,
	"document_id" bigint NOT NULL,
	"is_agree" boolean NOT NULL,
	"body_hash" text NOT NULL,
	"signed_at" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"method" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"team_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agreement_texts" (
	"document_id" bigint NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"body_hash" text NOT NULL,
	CONSTRAINT "agreement_texts_document_id_language_pk" PRIMARY KEY("document_id","language")
);
--> statement-breakpoint
CREATE INDEX "consents_account" ON "consents" USING btree ("account_id","purpose","consent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "developer_agreements_version" ON "developer_agreements" USING btree ("team_id","kind","country","language","version");--> statement-breakpoint
CREATE INDEX "developer_agreements_state" ON "developer_agreements" USING btree ("state","agreement_id");--> statement-breakpoint
CREATE INDEX "developer_agreements_team" ON "developer_agreements" USING btree ("team_id","agreement_id");--> statement-breakpoint
CREATE UNIQUE INDEX "agreement_documents_version" ON "agreement_documents" USING btree ("agr_type","branch_id","country","version");--> statement-breakpoint
CREATE UNIQUE INDEX "agreement_documents_draft" ON "agreement_documents" USING btree ("agr_type","branch_id","country") WHERE "agreement_documents"."state" = 'draft';--> statement-breakpoint
CREATE INDEX "agreement_signs_account" ON "agreement_signs" USING btree ("account_id","agr_type","branch_id","country","sign_id");--> statement-breakpoint
CREATE INDEX "agreement_signs_document" ON "agreement_signs" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "agreement_team_signs_team" ON "agreement_team_signs" USING btree ("team_id","agr_type","branch_id","country","sign_id");--> statement-breakpoint
CREATE INDEX "agreement_team_signs_document" ON "agreement_team_signs" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "agreement_team_signs_account" ON "agreement_team_signs" USING btree ("account_id");