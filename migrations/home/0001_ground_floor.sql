CREATE TABLE "device_models" (
	"model" text PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"name" text NOT NULL,
	"device_type" text NOT NULL,
	"os" text NOT NULL,
	"sdk" integer NOT NULL,
	"abis" text[] NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"density" integer NOT NULL,
	"ram_megabytes" integer NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "package_claims" (
	"claim_id" bigint PRIMARY KEY NOT NULL,
	"claimant_team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"package_type" text NOT NULL,
	"package_name" text NOT NULL,
	"name_key" text NOT NULL,
	"holder_team_id" bigint,
	"holder_app_id" bigint,
	"holder_zone" text,
	"method" text NOT NULL,
	"challenge" text NOT NULL,
	"expected_signers" text[] NOT NULL,
	"object_id" text,
	"evidence" text DEFAULT '' NOT NULL,
	"proof" jsonb,
	"objection" text,
	"verdict" text,
	"state" text NOT NULL,
	"notice_until" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_index_parts" (
	"file_id" bigint NOT NULL,
	"part" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "store_index_parts_file_id_part_pk" PRIMARY KEY("file_id","part")
);
--> statement-breakpoint
CREATE TABLE "store_index_past" (
	"repository" text NOT NULL,
	"timestamp" bigint NOT NULL,
	"file_id" bigint NOT NULL,
	CONSTRAINT "store_index_past_repository_timestamp_pk" PRIMARY KEY("repository","timestamp")
);
--> statement-breakpoint
CREATE TABLE "store_indexes" (
	"repository" text PRIMARY KEY NOT NULL,
	"asked" bigint NOT NULL,
	"made" bigint DEFAULT 0 NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"started_at" bigint DEFAULT 0 NOT NULL,
	"timestamp" bigint DEFAULT 0 NOT NULL,
	"content_sha256" text,
	"apps" bigint DEFAULT 0 NOT NULL,
	"versions" bigint DEFAULT 0 NOT NULL,
	"files" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"retired" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_licence_keys" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"sealed_key" text NOT NULL,
	"public_key" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_log_entries" (
	"position" bigint PRIMARY KEY NOT NULL,
	"version_id" bigint NOT NULL,
	"package_name" text NOT NULL,
	"version_code" bigint NOT NULL,
	"sha256" text NOT NULL,
	"signer" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_log_heads" (
	"size" bigint PRIMARY KEY NOT NULL,
	"root" text NOT NULL,
	"at" bigint NOT NULL,
	"checkpoint" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_log_nodes" (
	"level" integer NOT NULL,
	"position" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "store_log_nodes_level_position_pk" PRIMARY KEY("level","position")
);
--> statement-breakpoint
CREATE TABLE "store_repositories" (
	"repository_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"name" text NOT NULL,
	"app_ids" bigint[] NOT NULL,
	"state" text NOT NULL,
	"token_digest" text NOT NULL,
	"token_end" text NOT NULL,
	"token_at" bigint NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revoked_at" bigint,
	"used_at" bigint,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"announcement_id" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"title" jsonb NOT NULL,
	"text" jsonb NOT NULL,
	"href" text,
	"is_banner" boolean NOT NULL,
	"zones" text[] NOT NULL,
	"state" text NOT NULL,
	"start_at" bigint,
	"end_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billboard_slots" (
	"slot_id" bigint PRIMARY KEY NOT NULL,
	"title" jsonb NOT NULL,
	"text" jsonb NOT NULL,
	"href" text NOT NULL,
	"tone" text NOT NULL,
	"weight" integer NOT NULL,
	"zones" text[] NOT NULL,
	"is_on" boolean NOT NULL,
	"start_at" bigint,
	"end_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billboard_views" (
	"slot_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"day" text NOT NULL,
	"shown" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "billboard_views_slot_id_account_id_day_pk" PRIMARY KEY("slot_id","account_id","day")
);
--> statement-breakpoint
CREATE TABLE "announcement_dismissals" (
	"account_id" bigint NOT NULL,
	"announcement_id" bigint NOT NULL,
	"dismissed_at" bigint NOT NULL,
	CONSTRAINT "announcement_dismissals_account_id_announcement_id_pk" PRIMARY KEY("account_id","announcement_id")
);
--> statement-breakpoint
CREATE TABLE "menu_favorites" (
	"account_id" bigint NOT NULL,
	"service_id" text NOT NULL,
	"order_key" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "menu_favorites_account_id_service_id_pk" PRIMARY KEY("account_id","service_id")
);
--> statement-breakpoint
CREATE TABLE "feature_switches" (
	"feature" text PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"percent" double precision NOT NULL,
	"seed" text NOT NULL,
	"zones" text[] NOT NULL,
	"note" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "info_center_configs" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"shows_banners" boolean NOT NULL,
	"panels" text[] NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "menu_service_usage" (
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"service_id" text NOT NULL,
	"uses" integer DEFAULT 1 NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "menu_service_usage_team_id_account_id_service_id_pk" PRIMARY KEY("team_id","account_id","service_id")
);
--> statement-breakpoint
CREATE TABLE "notice_settings" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"cells" jsonb NOT NULL,
	"digest" text NOT NULL,
	"digest_at" text NOT NULL,
	"time_zone" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "config_files" (
	"config_file_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"package_name" text NOT NULL,
	"client_id" bigint NOT NULL,
	"sealed_secret" text NOT NULL,
	"key_id" bigint NOT NULL,
	"sealed_key" text NOT NULL,
	"zone" text NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"downloaded_at" bigint
);
--> statement-breakpoint
CREATE TABLE "home_items" (
	"kind" text NOT NULL,
	"entity_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"need" text,
	"is_open" boolean NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "home_items_kind_entity_id_pk" PRIMARY KEY("kind","entity_id")
);
--> statement-breakpoint
CREATE TABLE "project_agreements" (
	"project_id" bigint NOT NULL,
	"agreement_id" text NOT NULL,
	"version" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"signed_by" bigint NOT NULL,
	"signed_at" bigint NOT NULL,
	CONSTRAINT "project_agreements_project_id_agreement_id_version_pk" PRIMARY KEY("project_id","agreement_id","version")
);
--> statement-breakpoint
CREATE TABLE "project_api_keys" (
	"key_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" text NOT NULL,
	"former_hash" text,
	"former_until" bigint,
	"apis" text[] DEFAULT '{}' NOT NULL,
	"package_names" text[] DEFAULT '{}' NOT NULL,
	"state" text NOT NULL,
	"expire_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_apis" (
	"project_id" bigint NOT NULL,
	"api_id" text NOT NULL,
	"team_id" bigint NOT NULL,
	"enabled_by" bigint NOT NULL,
	"enabled_at" bigint NOT NULL,
	CONSTRAINT "project_apis_project_id_api_id_pk" PRIMARY KEY("project_id","api_id")
);
--> statement-breakpoint
CREATE TABLE "project_mappings" (
	"team_id" bigint NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"project_id" bigint NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "project_mappings_team_id_system_external_id_pk" PRIMARY KEY("team_id","system","external_id")
);
--> statement-breakpoint
CREATE TABLE "project_members" (
	"project_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"role" text NOT NULL,
	"added_by" bigint NOT NULL,
	"added_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "project_members_project_id_account_id_pk" PRIMARY KEY("project_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "project_properties" (
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"updated_by" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "project_properties_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "region_changes" (
	"change_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"from_zone" text NOT NULL,
	"to_zone" text NOT NULL,
	"endorsed_by" bigint NOT NULL,
	"endorsed_at" bigint NOT NULL,
	"expire_at" bigint NOT NULL,
	"done_at" bigint
);
--> statement-breakpoint
CREATE TABLE "service_orders" (
	"order_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"service_id" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"purpose" text DEFAULT '' NOT NULL,
	"ordered_by" bigint NOT NULL,
	"ordered_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_projects" (
	"team_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"updated_by" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authenticators" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"last_step" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_providers" (
	"provider_id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"client_secret" text NOT NULL,
	"scopes" text DEFAULT 'openid profile email' NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"creates_accounts" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"device_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"first_seen_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	CONSTRAINT "known_devices_device_id_account_id_pk" PRIMARY KEY("device_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "linked_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" bigint NOT NULL,
	"provider_id" bigint NOT NULL,
	"label" text NOT NULL,
	"linked_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "linked_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "real_names" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" integer NOT NULL,
	"details" text NOT NULL,
	"submitted_at" bigint NOT NULL,
	"decided_at" bigint,
	"decided_by" bigint,
	"reason" text,
	"expires_at" bigint,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"account_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"used_at" bigint,
	CONSTRAINT "recovery_codes_account_id_hash_pk" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
CREATE TABLE "session_tickets" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"account_id" bigint,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"invitation_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"token_hash" text,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"address_key" text NOT NULL,
	"roles" text[] NOT NULL,
	"scope" jsonb NOT NULL,
	"language" text NOT NULL,
	"state" text NOT NULL,
	"invited_by" bigint NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_by" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leader_offers" (
	"offer_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"from_account_id" bigint NOT NULL,
	"to_account_id" bigint NOT NULL,
	"state" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "member_faces" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"search_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_bindings" (
	"binding_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"sp_id" bigint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scope_things" (
	"thing_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"project_id" bigint,
	"name" text NOT NULL,
	"zone" text NOT NULL,
	"has_ended" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_roles" (
	"role_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"based_on" text,
	"permissions" text[] NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "test_users" (
	"test_user_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"address_key" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"search_key" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_apps" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "project_apps" ADD COLUMN "package_type" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "alliance" jsonb;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "phone" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "password_changed_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "method" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "has_second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_id" text;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "scope" jsonb DEFAULT '{"all":true}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "login_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "contact_email" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "deleted_at" bigint;--> statement-breakpoint
CREATE INDEX "device_models_by_brand" ON "device_models" USING btree ("brand","model");--> statement-breakpoint
CREATE INDEX "package_claims_of_claimant" ON "package_claims" USING btree ("claimant_team_id","claim_id");--> statement-breakpoint
CREATE INDEX "package_claims_of_holder" ON "package_claims" USING btree ("holder_team_id","claim_id");--> statement-breakpoint
CREATE INDEX "package_claims_by_notice" ON "package_claims" USING btree ("notice_until") WHERE "package_claims"."state" = 'NOTICE';--> statement-breakpoint
CREATE UNIQUE INDEX "package_claims_open" ON "package_claims" USING btree ("claimant_team_id","package_type","name_key") WHERE "package_claims"."state" IN ('PROVING', 'NOTICE', 'OBJECTED', 'REVIEW');--> statement-breakpoint
CREATE UNIQUE INDEX "store_log_entries_package" ON "store_log_entries" USING btree ("package_name","version_code","sha256","signer");--> statement-breakpoint
CREATE INDEX "store_log_entries_digest" ON "store_log_entries" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "store_log_entries_version" ON "store_log_entries" USING btree ("version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "store_repositories_token" ON "store_repositories" USING btree ("token_digest");--> statement-breakpoint
CREATE INDEX "store_repositories_of_team" ON "store_repositories" USING btree ("team_id","zone","repository_id");--> statement-breakpoint
CREATE UNIQUE INDEX "store_repositories_name" ON "store_repositories" USING btree ("team_id","zone",lower("name")) WHERE "store_repositories"."state" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "announcements_by_state" ON "announcements" USING btree ("state","announcement_id");--> statement-breakpoint
CREATE INDEX "announcement_dismissals_of" ON "announcement_dismissals" USING btree ("announcement_id");--> statement-breakpoint
CREATE UNIQUE INDEX "config_files_of_app" ON "config_files" USING btree ("project_id","app_id");--> statement-breakpoint
CREATE INDEX "home_items_open" ON "home_items" USING btree ("team_id","kind","at");--> statement-breakpoint
CREATE INDEX "project_api_keys_of_project" ON "project_api_keys" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "project_api_keys_hash" ON "project_api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "project_api_keys_former" ON "project_api_keys" USING btree ("former_hash");--> statement-breakpoint
CREATE INDEX "project_mappings_of_project" ON "project_mappings" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "project_members_of_account" ON "project_members" USING btree ("team_id","account_id");--> statement-breakpoint
CREATE INDEX "region_changes_of_project" ON "region_changes" USING btree ("project_id","endorsed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "service_orders_of_project" ON "service_orders" USING btree ("project_id","service_id");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_providers_issuer" ON "identity_providers" USING btree ("issuer","client_id");--> statement-breakpoint
CREATE INDEX "known_devices_of_account" ON "known_devices" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "linked_identities_of_account" ON "linked_identities" USING btree ("account_id","provider_id");--> statement-breakpoint
CREATE INDEX "linked_identities_of_provider" ON "linked_identities" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "passkeys_of_account" ON "passkeys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "real_names_waiting" ON "real_names" USING btree ("state","submitted_at","account_id");--> statement-breakpoint
CREATE INDEX "session_tickets_of_account" ON "session_tickets" USING btree ("account_id","purpose");--> statement-breakpoint
CREATE INDEX "session_tickets_expiry" ON "session_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_open" ON "invitations" USING btree ("team_id","address_key") WHERE "invitations"."state" = 'open';--> statement-breakpoint
CREATE INDEX "invitations_of_team" ON "invitations" USING btree ("team_id","invitation_id");--> statement-breakpoint
CREATE INDEX "invitations_ending" ON "invitations" USING btree ("expires_at") WHERE "invitations"."state" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "leader_offers_open" ON "leader_offers" USING btree ("team_id") WHERE "leader_offers"."state" = 'open';--> statement-breakpoint
CREATE INDEX "member_faces_by_word" ON "member_faces" USING gin (to_tsvector('simple', "search_key"));--> statement-breakpoint
CREATE UNIQUE INDEX "provider_bindings_live" ON "provider_bindings" USING btree ("team_id","sp_id") WHERE "provider_bindings"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "provider_bindings_of_team" ON "provider_bindings" USING btree ("team_id","binding_id");--> statement-breakpoint
CREATE INDEX "provider_bindings_of_provider" ON "provider_bindings" USING btree ("sp_id","state");--> statement-breakpoint
CREATE INDEX "scope_things_of_team" ON "scope_things" USING btree ("team_id","has_ended","kind","thing_id");--> statement-breakpoint
CREATE UNIQUE INDEX "team_roles_name" ON "team_roles" USING btree ("team_id","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "test_users_address" ON "test_users" USING btree ("team_id","address_key");--> statement-breakpoint
CREATE INDEX "test_users_of_team" ON "test_users" USING btree ("team_id","test_user_id");--> statement-breakpoint
CREATE INDEX "projects_made" ON "projects" USING btree ("team_id","created_at","project_id");--> statement-breakpoint
CREATE INDEX "projects_changed" ON "projects" USING btree ("team_id","updated_at","project_id");--> statement-breakpoint
CREATE INDEX "accounts_email" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "members_present" ON "members" USING btree ("team_id","joined_at","account_id") WHERE "members"."status" <> 'removed';--> statement-breakpoint
CREATE INDEX "members_by_status" ON "members" USING btree ("team_id","status","joined_at","account_id");--> statement-breakpoint
CREATE INDEX "members_without_face" ON "members" USING btree ("account_id") WHERE "members"."login_name" = '';