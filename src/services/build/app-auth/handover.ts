import type { Handover } from '../../../server/handover.ts'

/** Users are the project’s, which stays with its team; an app that goes leaves them behind. */
export const appAuthHandover: Handover = {
  stays: {
    app_auth_products: 'of the project',
    app_auth_methods: 'of the project',
    app_users: 'of the project',
    app_user_identities: 'of the project',
    app_user_sessions: 'of the project',
    app_user_days: 'of the project',
    app_auth_codes: 'of the project',
    app_auth_templates: 'of the project',
    app_auth_messages: 'of the project',
    app_auth_sms_blocks: 'of the project',
    app_auth_grants: 'of the project',
    app_auth_tickets: 'of the project',
    app_user_totp: 'of the project',
    app_user_recovery_codes: 'of the project',
    app_auth_hooks: 'of the project',
    app_auth_quick_logins: 'of the project',
    app_user_imports: 'of the project',
    app_user_import_rows: 'of the project',
    app_user_import_keys: 'of the project',
  },
}
