ALTER TABLE "fn_invocations" DROP CONSTRAINT "fn_invocations_pkey";--> statement-breakpoint
ALTER TABLE "fn_invocations" ADD CONSTRAINT "fn_invocations_function_id_request_id_pk" PRIMARY KEY("function_id","request_id");--> statement-breakpoint
DROP INDEX "fn_invocations_newest";
