CREATE TABLE "app_event_names" (
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"team_id" bigint NOT NULL,
	"last_day" integer NOT NULL,
	CONSTRAINT "app_event_names_project_id_name_pk" PRIMARY KEY("project_id","name")
);
