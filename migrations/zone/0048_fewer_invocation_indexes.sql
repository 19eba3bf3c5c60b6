DROP INDEX "fn_invocations_ending";--> statement-breakpoint
DROP INDEX "fn_invocations_lately";