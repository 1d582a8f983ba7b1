// Generated from the server's OpenAPI document by `make web-types`; do not edit.

export interface paths {
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The server accepts requests and has all of its data. Otherwise 503, with the reason */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who may sign up now: the first user, anyone, or only invited people */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignupOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Sign up: open to the first user, and to everyone if the server's settings allow it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignupIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IdentityOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in. The token is in the cookie, and in `X-Session-Token` for scripts */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IdentityOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed-in user, and their current workspace */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IdentityOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switch this session to another of your workspaces. Its token stays the same */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CurrentWorkspaceIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IdentityOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out. The token stops working, and a browser deletes its cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out everywhere, including this session. Personal access tokens stay valid */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password. All other sessions end; this one continues with a new token, sent as at sign-in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a link to set a new password. It is emailed if the address has an account */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetIn"];
                };
            };
            responses: {
                /** @description Request accepted, processing continues off-line */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with the token from the emailed link. All sessions of the user end; sign in again */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetConfirmIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a link that signs a browser in as you, for a script that opens a page */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInLinkOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your workspaces, oldest first, with your role in each */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkspacesOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create another workspace, which you own. POST /v1/auth/workspace switches to it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkspaceIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MembershipOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current workspace */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkspaceOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the name or the time zone of the current workspace */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkspaceChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkspaceOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All members of the workspace, in the order in which they joined */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MembersOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member, as an admin or owner, or leave: the member's sessions in this workspace end immediately */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Give a member another role, no higher than your own. The last owner cannot be changed */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoleIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MemberOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The open invitations of the workspace, newest first, without their tokens */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvitesOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Invite an address for seven days. The token is emailed to the address, and only this response has it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InviteIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewInviteOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/{invite_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an open invitation: its token stops working */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    invite_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation: signed in with the invited address, or with `name` and `password` for a new account */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcceptanceIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IdentityOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All environments of the workspace, by name */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnvironmentsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create an environment. Its keys begin with `tr_test_`, and its events are kept forever */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnvironmentOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an environment with all its events, which cannot be undone */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the display name, or the number of days for which events are kept: 1 to 3650, or null for forever */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnvironmentOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All keys of the workspace, without their secrets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeysOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create a key; only this response has its secret */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewKeyOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key: it stops working with the next request */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Rename a key */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workspace and the environment of the key that sends this request, its limits, and the server's time */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnKeyOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All Statistics API tokens, without their secrets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsTokensOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create a Statistics API token; only this response has its secret */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatsTokenIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewStatsTokenOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats-tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token; requests with it are refused immediately */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    token_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your personal access tokens, without their secrets; admins see the tokens of all members */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokensOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create a personal access token; only this response has its secret */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TokenIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewTokenOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token: it stops working with the next request */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    token_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the listing is public, and its slug */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListingOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Publish or unpublish the listing: anyone can load `/custom/bots/:slug/…` of a public listing */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListingChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListingOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/listing/slug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the slug; pictures under the previous slug stop working */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListingOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what in the workspace, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 200; 50 by default. */
                    limit?: string | null;
                    /** @description `next` from the previous page. */
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EntriesOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Actors with their counts and times in the time range, busiest first by default */
        get: {
            parameters: {
                query?: {
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description `production` by default. */
                    environment?: string | null;
                    /** @description 1 to 200; 50 by default. */
                    limit?: string | null;
                    /** @description Text to find in the key or the label, ignoring case. */
                    q?: string | null;
                    /** @description Most events, latest `lastSeen` or latest `firstSeen` first. */
                    sort?: "events" | "lastSeen" | "firstSeen";
                    /** @description JSON array of filters; only events that match all of them. */
                    filters?: string | null;
                    /** @description `next` from the previous page. */
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActorList"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actors/{actor_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One actor's totals and newest events in the time range */
        get: {
            parameters: {
                query?: {
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description `production` by default. */
                    environment?: string | null;
                };
                header?: never;
                path: {
                    actor_key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActorDetail"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete an actor's events and label. This cannot be undone */
        delete: {
            parameters: {
                query?: {
                    /** @description `production` by default. */
                    environment?: string | null;
                };
                header?: never;
                path: {
                    actor_key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erased"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Same as with the key in the path, for keys that a URL client would alter */
        get: {
            parameters: {
                query: {
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    actorKey: string;
                    /** @description `production` by default. */
                    environment?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActorDetail"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Same as with the key in the path, for keys that a URL client would alter */
        delete: {
            parameters: {
                query: {
                    actorKey: string;
                    /** @description `production` by default. */
                    environment?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erased"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of a time range, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description `production` by default. */
                    environment?: string | null;
                    /** @description 1 to 200; 50 by default. */
                    limit?: string | null;
                    /** @description `next` from the previous page. */
                    cursor?: string | null;
                    /** @description Only events with this name. */
                    name?: string | null;
                    /** @description Only events of this actor. */
                    actor?: string | null;
                    /** @description JSON array of filters; only events that match all of them. */
                    filters?: string | null;
                    /** @description `true` to list the hidden events instead. */
                    hidden?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventList"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Send one event or a batch */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description 1 to 255 visible ASCII characters. The same key and body count once within 24 hours, or, for the newest 16 keys of an Idempotency-Queue, within 60 days. */
                    "Idempotency-Key"?: string;
                    /** @description A random name for the sender, with an Idempotency-Key: the server remembers the newest 16 keys of each queue for 60 days, and at most 10,000 queues of an API key. */
                    "Idempotency-Queue"?: string;
                    /** @description The Idempotency-Key of another request: these events are stored after its events, even if both are in progress. If that request is refused or does not arrive, the response is 409 and nothing is stored. */
                    "Idempotency-After"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EventIn"] | components["schemas"]["EventBatch"];
                };
            };
            responses: {
                /** @description Every event is durable. */
                202: {
                    headers: {
                        /** @description How many seconds the Idempotency-Key is remembered; absent without a key. */
                        "Idempotency-Window"?: number;
                        /** @description The request repeats an earlier one, and its events already count. */
                        "Idempotent-Replayed"?: "true";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AcceptedOut"];
                    };
                };
                /** @description the payload is not valid; `details` names up to 20 wrong fields, and a field of each other wrong event */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description the key is missing, malformed, unknown or revoked */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description the free plan's monthly cap has been reached */
                402: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description a request with this Idempotency-Key is running, or the one in Idempotency-After was refused or is missing */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description more than 500 events, an event over 64 KiB or a body over 2 MiB */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description not JSON, or an unsupported encoding */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description the Idempotency-Key was used with another body */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description more than 6000 requests in 60 seconds from this IP */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description the event cannot be made durable at the moment */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 100 refused requests of the workspace's keys, to find out why events are not arriving */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RefusalList"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hide an event from every count, list, label and export */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        /** Show a hidden event again */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Newly stored events as server-sent events, in the order of arrival; each `id` is the ID of the event */
        get: {
            parameters: {
                query?: {
                    /** @description `production` by default. */
                    environment?: string | null;
                    /** @description Only events with this name. */
                    name?: string | null;
                    /** @description Only events of this actor. */
                    actor?: string | null;
                    /** @description JSON array of filters; only events that match all of them. */
                    filters?: string | null;
                };
                header?: {
                    /** @description Continue after this event. */
                    "Last-Event-ID"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Server-sent events, each with an event as JSON. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All events, or those in a time range, in order, as one file */
        get: {
            parameters: {
                query?: {
                    /** @description `production` by default. */
                    environment?: string | null;
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Start, inclusive: an ISO 8601 date or date-time, in UTC if it has no offset. */
                    from?: string | null;
                    /** @description End, exclusive. */
                    to?: string | null;
                    /** @description Format of the file. */
                    format?: "ndjson" | "csv" | "parquet";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events, as a file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/x-ndjson": string;
                        "text/csv": string;
                        "application/vnd.apache.parquet": string;
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The registered group keys, and the string properties of the last 30 days that could be registered */
        get: {
            parameters: {
                query: {
                    /** @description The environment of the events. */
                    environment: string;
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupKeysOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Register a string property as a group key; the first one is the default */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GroupKeyIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupKeyOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a group key. The events stay, and if it was the default, the oldest remaining key becomes the default */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the label of a group key, or make it the default */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GroupKeyChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupKeyOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Groups, busiest first by default; an empty list if no group key is registered */
        get: {
            parameters: {
                query: {
                    /** @description The environment of the events. */
                    environment: string;
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description A registered group key; the default key by default. */
                    propKey?: string | null;
                    /** @description 1 to 200; 50 by default. */
                    limit?: string | null;
                    /** @description Text to find in the ID, ignoring case. */
                    q?: string | null;
                    /** @description Most events or latest `lastSeen` first. */
                    sort?: "events" | "lastSeen";
                    /** @description JSON array of filters; only events that match all of them. */
                    filters?: string | null;
                    /** @description `next` from the previous page. */
                    cursor?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupList"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{group_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One group's totals and newest events in the time range */
        get: {
            parameters: {
                query: {
                    /** @description The environment of the events. */
                    environment: string;
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description A registered group key; the default key by default. */
                    propKey?: string | null;
                };
                header?: never;
                path: {
                    group_key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupDetail"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Same as with the ID in the path, for IDs that a URL client would alter */
        get: {
            parameters: {
                query: {
                    groupKey: string;
                    /** @description The environment of the events. */
                    environment: string;
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description A registered group key; the default key by default. */
                    propKey?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GroupDetail"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All dashboards of the workspace without their widgets, oldest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create a dashboard. POST /v1/dashboards/:id/widgets adds widgets */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DashboardIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboards/{dashboard_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A dashboard with its widgets, sorted by position */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    dashboard_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a dashboard with its widgets */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    dashboard_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a dashboard; `isPublic` shows it to everyone who has its slug */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    dashboard_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DashboardChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/dashboards/{dashboard_id}/slug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the slug. Links with the old slug stop working */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    dashboard_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboards/{dashboard_id}/widgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a widget after the others of a dashboard */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    dashboard_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WidgetIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WidgetOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboards/{dashboard_id}/widgets/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reorder all widgets of a dashboard to match `widgetIds` */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    dashboard_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WidgetsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/widgets/{widget_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a widget. The widgets after it move up */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    widget_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a widget; a new `type` needs a matching `config` */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    widget_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WidgetChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WidgetOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/widgets/{widget_id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a widget's query over the time range of the request or of the dashboard. The body may be empty */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    widget_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["DataIn"] | null;
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Result"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/widgets/{widget_id}/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The actors behind a number in a widget's answer, or the groups if it counts groups */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    widget_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["BehindIn"] | null;
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActorsBehind"] | components["schemas"]["GroupsBehind"];
                        "text/csv": string;
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/widgets/{widget_id}/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What is different about the events behind a number in a widget's answer, compared with all of its events */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    widget_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DifferencesIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Differences"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a widget's config without saving it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QueryIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Result"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The actors behind a number in an answer, or the groups if it counts groups */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QueryActorsIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActorsBehind"] | components["schemas"]["GroupsBehind"];
                        "text/csv": string;
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What is different about the events behind a number in an answer, compared with all events of the question */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QueryDifferencesIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Differences"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The annotations of an environment by time: all, or those that overlap the time range from `from` to `to` */
        get: {
            parameters: {
                query: {
                    /** @description The environment of the annotations. */
                    environment: string;
                    /** @description Start, inclusive: an ISO 8601 date or date-time, in UTC if it has no offset. */
                    from?: string | null;
                    /** @description End, exclusive. */
                    to?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnnotationsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Mark a moment, or with `timeEnd` a period, on the charts of an environment */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnnotationIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnnotationOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/annotations/{annotation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an annotation */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    annotation_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an annotation; it stays in its environment */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    annotation_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnnotationChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnnotationOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The saved segments, oldest first */
        get: {
            parameters: {
                query?: {
                    /** @description All environments by default; for an API key, its own. */
                    environment?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SegmentsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Save filters under a name, for the widgets of one environment */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SegmentIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SegmentOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{segment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a segment that no widget and no alert uses */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    segment_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Rename a segment or replace its filters. The widgets that use it follow immediately */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    segment_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SegmentChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SegmentOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/digests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The digests, oldest first; an API key sees the digests of its environment, with masked addresses */
        get: {
            parameters: {
                query?: {
                    /** @description All dashboards by default. */
                    dashboardId?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DigestsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Email a dashboard to up to 20 addresses on a schedule */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DigestIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DigestOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/digests/{digest_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a digest */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    digest_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a digest; `recipients` replaces the whole list, and resubscribes anyone in it who had unsubscribed */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    digest_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DigestChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DigestOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/digests/{digest_id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a digest now, even if it is not enabled; the response does not wait for the emails to be sent */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    digest_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request accepted, processing continues off-line */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SendingOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/digests/{digest_id}/sendings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The 50 most recent times that a digest was sent, with the status of each email */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    digest_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SendingsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/digests/{digest_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The email as it would be sent now, with its pictures as `data:` URLs in the HTML */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    digest_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DigestPreviewOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/digests/{digest_id}/preview.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The email as it would be sent now, as a page for a frame. Its head has the subject; links open in a new tab */
        get: {
            parameters: {
                query?: {
                    /** @description `auto` follows the reader's system, as the sent email does. */
                    theme?: "light" | "dark" | "auto";
                };
                header?: never;
                path: {
                    digest_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": string;
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The alerts with their status, oldest first */
        get: {
            parameters: {
                query?: {
                    /** @description All environments by default. */
                    environment?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create an alert; it is first evaluated at the next beat */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One alert with its status */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    alert_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete an alert; its activity is kept */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    alert_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an alert. `"enabled": false` pauses it and ends an open incident without a message */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    alert_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/alerts/{alert_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resolve the open incident of an alert and notify its channels; 409 if it has none */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    alert_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** When alerts fired, resolved, or lost their value during an incident; newest first */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 200; 50 by default. */
                    limit?: string | null;
                    /** @description All alerts by default, including deleted ones. */
                    alertId?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActivityOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** On which of the last 30 days each alert fired, by the workspace's clocks; oldest alert first */
        get: {
            parameters: {
                query?: {
                    /** @description All environments by default. */
                    environment?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertHistoryOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an alert with these fields would have done in the past 30 days, minute by minute */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertPreviewIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertPreviewOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/external-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The external sources without their tokens, oldest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExternalSourcesOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Trust a host, so that External widgets may fetch from it. The token is sent to this host only */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExternalSourceIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExternalSourceOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/external-sources/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an external source that no widget fetches from, and its token */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change an external source. A new `host` without a `token` removes the stored token */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExternalSourceChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExternalSourceOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/alert-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The channels, oldest first, with previews of their destinations */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertChannelsOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        /** Create a channel; only this response has the secret of a webhook */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertChannelIn"];
                };
            };
            responses: {
                /** @description Document created, URL follows */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewAlertChannelOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alert-channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a channel; alerts no longer send to it */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    channel_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Rename a channel, switch it on or off, or give it another destination of the same type */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    channel_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertChannelChange"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertChannelOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/alert-channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message; the response says whether it arrived or why it failed. Up to five times a minute */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    channel_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttemptOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alert-channels/{channel_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret that signs a webhook's messages; only this response has the new secret */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    channel_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChannelSecretOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alert-channels/{channel_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest 100 messages to a channel, newest first, with the status of each */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    channel_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveriesOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alert-channels/{channel_id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver a message again immediately, with the same ID; up to five times a minute */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    channel_id: string;
                    delivery_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["DeliveryRetryIn"] | null;
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The event names and property keys of a time range, most frequent first */
        get: {
            parameters: {
                query?: {
                    /** @description A time range that ends now, or a calendar period. */
                    timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
                    /** @description Instead of `timeRange`: the start, in ISO 8601. */
                    from?: string | null;
                    /** @description Instead of `timeRange`: the end, exclusive, in ISO 8601. */
                    to?: string | null;
                    /** @description `production` by default. */
                    environment?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SchemaOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plan, this month's number of events, and the monthly cap */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsageOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/dashboards/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public dashboard and its widgets, without their configs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PublicPage"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/dashboards/{slug}/widgets/{widget_id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** One public widget's data, at most 30 seconds old. The body is ignored */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    slug: string;
                    widget_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Result"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return a bot: profile, counters, ranks and changes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BotRecord"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}/historical": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return a counter of a bot over time, newest first */
        get: {
            parameters: {
                query: {
                    /** @description The counter. */
                    type: "monthly_votes" | "total_votes" | "server_count" | "review_count";
                    /** @description How far back to go: one point per hour up to 30d, one per day beyond that. */
                    timeFrame: "alltime" | "5y" | "3y" | "1y" | "270d" | "180d" | "90d" | "30d" | "7d" | "3d" | "1d" | "12h" | "6h" | "12hr" | "6hr";
                    /** @description Also find an unlisted bot. */
                    unlisted?: boolean;
                    /** @description Find an unlisted bot only if it was unlisted for this reason. */
                    unlisted_reason?: string | null;
                };
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["History"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the last 30 hours and 30 days of a bot */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recent"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the voters of a bot by the weight of their votes */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 500; 100 by default. */
                    limit?: string | null;
                    /** @description At least 0; 0 by default. */
                    offset?: string | null;
                };
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Leaderboard"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}/leaderboard/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return one user's place among the voters of a bot */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LeaderboardPlace"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/compare/{bot_ids}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare the current data of 2 to 10 bots; separate their IDs with slashes */
        get: {
            parameters: {
                query?: {
                    /** @description Whole records, or only the compared fields. */
                    shape?: "full" | "compact";
                };
                header?: never;
                path: {
                    bot_ids: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FullComparison"] | components["schemas"]["CompactComparison"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/compare/historical/{bot_ids}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare a counter of 2 to 10 bots over time, newest first */
        get: {
            parameters: {
                query: {
                    /** @description The counter. */
                    type: "monthly_votes" | "total_votes" | "server_count" | "review_count";
                    /** @description How far back to go. */
                    timeFrame: "alltime" | "5y" | "3y" | "1y" | "270d" | "180d" | "90d" | "30d" | "7d" | "3d" | "1d" | "12h" | "6h" | "12hr" | "6hr";
                    /** @description An object by bot ID, or a list. */
                    shape?: "keyed" | "list";
                };
                header?: never;
                path: {
                    bot_ids: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyedHistories"] | components["schemas"]["ListedHistories"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/rankings/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all listed bots by one of their ranks */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 500; 100 by default. */
                    limit?: string | null;
                    /** @description At least 0; 0 by default. */
                    offset?: string | null;
                    /** @description The rank to sort by. */
                    sortBy?: "monthly_votes_rank" | "total_votes_rank" | "server_count_rank" | "review_count_rank";
                    /** @description `asc` starts with rank 1. */
                    sortMethod?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Rankings"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/users/{user_id}/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the bots that name a user as an owner. A bot that moved to a team may still name its former owner */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsersBots"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find bots with the tag, ignoring case */
        get: {
            parameters: {
                query: {
                    /** @description The text to search for. */
                    query: string;
                    /** @description 1 to 50; 50 by default. */
                    limit?: string | null;
                    /** @description At least 0; 0 by default. */
                    offset?: string | null;
                    /** @description Also find deleted bots. */
                    includeDeleted?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Found"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find bots whose name contains the text, ignoring case */
        get: {
            parameters: {
                query: {
                    /** @description The text to search for. */
                    query: string;
                    /** @description 1 to 100; 100 by default. */
                    limit?: string | null;
                    /** @description At least 0; 0 by default. */
                    offset?: string | null;
                    /** @description Also find deleted bots. */
                    includeDeleted?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Found"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}/counter-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Choose the source of a bot's vote counters; the earlier history does not change */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CounterSourceIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BotRecord"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/bots/{bot_id}/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the bot has a secret for signed webhooks */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookSecretOut"];
                    };
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        /** Set the secret that a bot list uses to sign a bot's webhooks; no response returns it */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookSecretIn"];
                };
            };
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        post?: never;
        /** Delete the secret; signed webhooks of the bot are refused immediately */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    bot_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description An error. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AcceptanceIn */
        AcceptanceIn: {
            token: string;
            name?: string | null;
            password?: string | null;
        };
        /** ActivityEntry */
        ActivityEntry: {
            id: string;
            alertId: string;
            alertName: string;
            /** @enum {string} */
            type: "fired" | "resolved" | "nodata";
            value: number | null;
            threshold: number | null;
            condition: string;
            severity: string;
            at: string;
        };
        /** ActivityOut */
        ActivityOut: {
            activity: components["schemas"]["ActivityEntry"][];
        };
        /** ActorDetail */
        ActorDetail: {
            actorKey: string;
            label: string | null;
            eventCount: number;
            firstSeen: string;
            lastSeen: string;
            timeline: components["schemas"]["TimelineEvent"][];
            notices?: components["schemas"]["Notice"][];
        };
        /** ActorList */
        ActorList: {
            actors: components["schemas"]["ActorRow"][];
            next: string | null;
            notices?: components["schemas"]["Notice"][];
        };
        /** ActorRow */
        ActorRow: {
            actorKey: string;
            label: string | null;
            eventCount: number;
            firstSeen: string;
            lastSeen: string;
        };
        /** ActorsBehind */
        ActorsBehind: {
            total: number;
            actors: components["schemas"]["ActorRow"][];
            next: string | null;
            notices?: components["schemas"]["Notice"][];
        };
        /** AlertChange */
        AlertChange: {
            name?: string;
            environment?: string;
            event?: string | null;
            measure?: ("count" | "sum" | "avg" | "min" | "max" | "uniq" | "uniq_actors" | "median" | "p95" | "p99") | null;
            property?: string | null;
            filters?: components["schemas"]["Filter"][] | null;
            formula?: components["schemas"]["Formula"] | null;
            segmentId?: string | null;
            condition?: "above" | "below" | "rises" | "drops" | "nodata" | "anomaly";
            threshold?: number | null;
            windowMinutes?: number;
            severity?: "warning" | "critical";
            cooldownMinutes?: number;
            enabled?: boolean;
            channelIds?: string[];
        };
        /** AlertChannelChange */
        AlertChannelChange: {
            name?: string;
            destination?: string;
            enabled?: boolean;
        };
        /** AlertChannelIn */
        AlertChannelIn: {
            name: string;
            /** @enum {string} */
            type: "email" | "webhook" | "slack" | "discord" | "telegram";
            destination: string;
            /** @default true */
            enabled?: boolean;
        };
        /** AlertChannelOut */
        AlertChannelOut: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "email" | "webhook" | "slack" | "discord" | "telegram";
            destinationPreview: string;
            enabled: boolean;
            createdAt: string;
        };
        /** AlertChannelsOut */
        AlertChannelsOut: {
            alertChannels: components["schemas"]["AlertChannelOut"][];
        };
        /** AlertHistory */
        AlertHistory: {
            alertId: string;
            knownFrom: string;
            knownUntil: string | null;
            firingDays: components["schemas"]["FiringDay"][];
        };
        /** AlertHistoryOut */
        AlertHistoryOut: {
            from: string;
            to: string;
            alerts: components["schemas"]["AlertHistory"][];
        };
        /** AlertIn */
        AlertIn: {
            environment: string;
            event?: string | null;
            /** @enum {null|string} */
            measure?: "count" | "sum" | "avg" | "min" | "max" | "uniq" | "uniq_actors" | "median" | "p95" | "p99" | null;
            property?: string | null;
            filters?: components["schemas"]["Filter"][] | null;
            formula?: components["schemas"]["Formula"] | null;
            segmentId?: string | null;
            /** @enum {string} */
            condition: "above" | "below" | "rises" | "drops" | "nodata" | "anomaly";
            threshold?: number | null;
            /** @default 60 */
            windowMinutes?: number;
            name: string;
            /**
             * @default warning
             * @enum {string}
             */
            severity?: "warning" | "critical";
            /** @default 30 */
            cooldownMinutes?: number;
            /** @default true */
            enabled?: boolean;
            /** @default [] */
            channelIds?: string[];
        };
        /** AlertOut */
        AlertOut: {
            id: string;
            name: string;
            environment: string;
            event: string | null;
            measure: string | null;
            property: string | null;
            filters: components["schemas"]["Filter"][] | null;
            formula: components["schemas"]["Formula"] | null;
            segmentId: string | null;
            condition: string;
            threshold: number | null;
            windowMinutes: number;
            severity: string;
            cooldownMinutes: number;
            enabled: boolean;
            channelIds: string[];
            /** @enum {string} */
            status: "ok" | "firing" | "paused" | "nodata";
            noDataSince: string | null;
            lastEvaluatedAt: string | null;
            lastDataAt: string | null;
            delayedSince: string | null;
            lastValue: number | null;
            lastDeliveries: components["schemas"]["LastDeliveryOut"][];
            createdAt: string;
            updatedAt: string;
        };
        /** AlertPreviewIn */
        AlertPreviewIn: {
            environment: string;
            event?: string | null;
            /** @enum {null|string} */
            measure?: "count" | "sum" | "avg" | "min" | "max" | "uniq" | "uniq_actors" | "median" | "p95" | "p99" | null;
            property?: string | null;
            filters?: components["schemas"]["Filter"][] | null;
            formula?: components["schemas"]["Formula"] | null;
            segmentId?: string | null;
            /** @enum {string} */
            condition: "above" | "below" | "rises" | "drops" | "nodata" | "anomaly";
            threshold?: number | null;
            /** @default 60 */
            windowMinutes?: number;
            /** @default false */
            minutes?: boolean;
        };
        /** AlertPreviewOut */
        AlertPreviewOut: {
            from: string;
            to: string;
            fired: number;
            incidents: components["schemas"]["PastIncidentOut"][];
            points: components["schemas"]["PastPoint"][];
            minutes?: components["schemas"]["PastMinutes"];
            notices?: components["schemas"]["Notice"][];
        };
        /** AlertsOut */
        AlertsOut: {
            alerts: components["schemas"]["AlertOut"][];
        };
        /** Alive */
        Alive: {
            /** @default ok */
            status?: string;
        };
        /** AnnotationChange */
        AnnotationChange: {
            label?: string;
            time?: string;
            timeEnd?: string | null;
            description?: string | null;
            color?: string;
        };
        /** AnnotationIn */
        AnnotationIn: {
            environment: string;
            label: string;
            time: string;
            timeEnd?: string | null;
            description?: string | null;
            /** @default #0072B2 */
            color?: string;
            key?: string | null;
        };
        /** AnnotationOut */
        AnnotationOut: {
            id: string;
            environment: string;
            label: string;
            description: string | null;
            color: string;
            time: string;
            timeEnd: string | null;
            createdAt: string;
            key: string | null;
        };
        /** AnnotationsOut */
        AnnotationsOut: {
            annotations: components["schemas"]["AnnotationOut"][];
        };
        /** AttemptOut */
        AttemptOut: {
            ok: boolean;
            error?: string;
        };
        /** BehindIn */
        BehindIn: {
            /** @description A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`. */
            timeRange?: ("1h" | "24h" | "7d" | "30d" | "90d") | ("today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all");
            /** @description With `to`, instead of `timeRange`: the start, in ISO 8601. */
            from?: string;
            /** @description With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601. */
            to?: string;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /**
             * @description The length of time buckets; overrides the config.
             * @enum {null|string}
             */
            interval?: "auto" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description What to compare with; overrides the config. true and `previous` mean the previous time range. */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            foldSeries?: boolean;
            at?: components["schemas"]["Spot"];
            limit?: number | null;
            cursor?: string | null;
        };
        /** BotHistory */
        BotHistory: {
            id: string;
            data: {
                [key: string]: string | number;
            }[];
        };
        /** BotRecord */
        BotRecord: {
            id: string;
            listingId: string;
            topGGId: string;
            certified: boolean;
            owners: string[];
            deleted: boolean;
            name: string;
            def_avatar: string;
            avatar: string;
            short_desc: string;
            lib: string;
            prefix: string;
            website: string;
            approved_at: string;
            monthly_votes: number;
            total_votes: number;
            server_count: number;
            shard_count?: number;
            monthly_votes_rank: number;
            server_count_rank: number;
            total_votes_rank: number;
            shard_count_rank?: number;
            timestamp: string;
            unix_timestamp: string;
            tags: string[];
            avg_review_rating: number;
            review_count: number;
            /** @enum {string} */
            counter_source: "posted" | "votes";
            percentage_changes: components["schemas"]["PercentageChanges"];
            unreported?: string[];
        };
        /** ChannelSecretOut */
        ChannelSecretOut: {
            secret: string;
        };
        /** CompactComparison */
        CompactComparison: {
            data: components["schemas"]["CompactEntry"][];
        };
        /** CompactEntry */
        CompactEntry: {
            id: string;
            name: string;
            avatar: string;
            monthly_votes: number;
            total_votes: number;
            server_count: number;
            review_count: number;
            monthly_votes_rank: number;
            server_count_rank: number;
            total_votes_rank: number;
            unreported?: string[];
        };
        /**
         * CountedMeasure
         * @description A measure of some events.
         */
        CountedMeasure: {
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            /** @enum {unknown} */
            measure: "avg" | "count" | "max" | "median" | "min" | "p95" | "p99" | "sum" | "uniq" | "uniq_actors";
            /** @default null */
            property?: string | null;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
        };
        /** CounterSourceIn */
        CounterSourceIn: {
            /** @enum {string} */
            counter_source: "posted" | "votes";
        };
        /** CurrentWorkspaceIn */
        CurrentWorkspaceIn: {
            workspaceId: string;
        };
        /** DashboardChange */
        DashboardChange: {
            name?: string;
            description?: string | null;
            icon?: string | null;
            environment?: string;
            timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
            filters?: components["schemas"]["Filter"][];
            isPublic?: boolean;
        };
        /** DashboardIn */
        DashboardIn: {
            name: string;
            description?: string | null;
            icon?: string | null;
            environment?: string;
            /**
             * @default 7d
             * @enum {string}
             */
            timeRange?: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /** @default false */
            isPublic?: boolean;
        };
        /** DashboardOut */
        DashboardOut: {
            id: string;
            name: string;
            description: string | null;
            icon: string | null;
            environment: string;
            /** @enum {string} */
            timeRange: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
            filters: components["schemas"]["Filter"][];
            isPublic: boolean;
            slug: string | null;
            createdAt: string;
            updatedAt: string;
            widgets: components["schemas"]["WidgetOut"][];
        };
        /** DashboardRow */
        DashboardRow: {
            id: string;
            name: string;
            description: string | null;
            icon: string | null;
            environment: string;
            /** @enum {string} */
            timeRange: "1h" | "24h" | "7d" | "30d" | "90d" | "today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all";
            filters: components["schemas"]["Filter"][];
            isPublic: boolean;
            slug: string | null;
            createdAt: string;
            updatedAt: string;
            widgetCount: number;
        };
        /** DashboardsOut */
        DashboardsOut: {
            dashboards: components["schemas"]["DashboardRow"][];
        };
        /** DataIn */
        DataIn: {
            /** @description A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`. */
            timeRange?: ("1h" | "24h" | "7d" | "30d" | "90d") | ("today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all");
            /** @description With `to`, instead of `timeRange`: the start, in ISO 8601. */
            from?: string;
            /** @description With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601. */
            to?: string;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /**
             * @description The length of time buckets; overrides the config.
             * @enum {null|string}
             */
            interval?: "auto" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description What to compare with; overrides the config. true and `previous` mean the previous time range. */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            foldSeries?: boolean;
        };
        /** DeliveriesOut */
        DeliveriesOut: {
            deliveries: components["schemas"]["DeliveryOut"][];
        };
        /** DeliveryOut */
        DeliveryOut: {
            id: string;
            at: string;
            /** @enum {string} */
            type: "alert.fired" | "alert.reminder" | "alert.nodata" | "alert.resolved" | "test";
            alertName: string;
            /** @enum {string} */
            status: "waiting" | "sent" | "failed";
            attempts: number;
            error: string | null;
        };
        /** DeliveryRetryIn */
        DeliveryRetryIn: {
            /** @default false */
            again?: boolean;
        };
        /** Difference */
        Difference: {
            key: string;
            value: string;
            count: number;
            share: number;
            everybody: number;
            lift: number;
            filter: components["schemas"]["Filter"];
        };
        /** Differences */
        Differences: {
            unit: "event" | ("actor" | "group");
            events: number;
            of: number;
            properties: components["schemas"]["Difference"][];
            usual?: components["schemas"]["UsualBand"] | null;
            notices?: components["schemas"]["Notice"][];
        };
        /** DifferencesIn */
        DifferencesIn: {
            /** @description A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`. */
            timeRange?: ("1h" | "24h" | "7d" | "30d" | "90d") | ("today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all");
            /** @description With `to`, instead of `timeRange`: the start, in ISO 8601. */
            from?: string;
            /** @description With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601. */
            to?: string;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /**
             * @description The length of time buckets; overrides the config.
             * @enum {null|string}
             */
            interval?: "auto" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description What to compare with; overrides the config. true and `previous` mean the previous time range. */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            foldSeries?: boolean;
            at?: components["schemas"]["Spot"];
            /** @enum {null|string} */
            by?: "events" | "actors" | null;
            /** @default 10 */
            limit?: number;
        };
        /** DigestChange */
        DigestChange: {
            name?: string | null;
            cadence?: "daily" | "weekly" | "monthly";
            sendHour?: number;
            weekday?: number | null;
            dayOfMonth?: number | null;
            timezone?: string;
            recipients?: string[];
            enabled?: boolean;
        };
        /** DigestIn */
        DigestIn: {
            dashboardId: string;
            /** @enum {string} */
            cadence: "daily" | "weekly" | "monthly";
            recipients: string[];
            name?: string | null;
            /** @default 9 */
            sendHour?: number;
            weekday?: number | null;
            dayOfMonth?: number | null;
            timezone?: string | null;
            /** @default true */
            enabled?: boolean;
        };
        /** DigestOut */
        DigestOut: {
            id: string;
            dashboardId: string;
            name: string | null;
            cadence: string;
            sendHour: number;
            weekday: number | null;
            dayOfMonth: number | null;
            timezone: string;
            recipients: string[];
            unsubscribed: string[];
            enabled: boolean;
            lastSentAt: string | null;
            nextSendAt: string | null;
        };
        /** DigestPreviewOut */
        DigestPreviewOut: {
            subject: string;
            html: string;
            text: string;
        };
        /** DigestsOut */
        DigestsOut: {
            digests: components["schemas"]["DigestOut"][];
        };
        /** Display */
        Display: {
            /** @enum {null|string} */
            chart?: "line" | "bar" | "area" | "pie" | "number" | "list" | null;
            stack?: boolean | null;
            /** @enum {null|string} */
            axis?: "zero" | "fit" | null;
            legend?: boolean | null;
            goal?: number | null;
            /** @enum {null|string} */
            good?: "up" | "down" | "none" | null;
            decimals?: number | null;
            unit?: string | null;
            labels?: string[] | null;
            goods?: ("up" | "down" | "none")[] | null;
            goals?: (number | null)[] | null;
            addsUp?: boolean | null;
            text?: string | null;
        };
        /** EntriesOut */
        EntriesOut: {
            entries: components["schemas"]["EntryOut"][];
            next: string | null;
        };
        /** EntryOut */
        EntryOut: {
            id: string;
            at: string;
            by: components["schemas"]["InitiatorOut"] | null;
            action: string;
            subject: string;
            details: unknown;
        };
        /** EnvironmentChange */
        EnvironmentChange: {
            displayName?: string | null;
            retentionDays?: number | null;
        };
        /** EnvironmentIn */
        EnvironmentIn: {
            name: string;
            displayName?: string | null;
        };
        /** EnvironmentOut */
        EnvironmentOut: {
            name: string;
            displayName: string | null;
            retentionDays: number | null;
            createdAt: string;
        };
        /** EnvironmentsOut */
        EnvironmentsOut: {
            environments: components["schemas"]["EnvironmentOut"][];
        };
        /** Erased */
        Erased: {
            erased: number;
        };
        /** EventLimitsOut */
        EventLimitsOut: {
            batchEvents: number;
            eventBytes: number;
            bodyBytes: number;
            nameLength: number;
            actorLength: number;
            actorLabelLength: number;
            sourceLength: number;
            propertiesDepth: number;
        };
        /** EventList */
        EventList: {
            events: components["schemas"]["EventOut"][];
            next: string | null;
            notices?: components["schemas"]["Notice"][];
        };
        /** EventName */
        EventName: {
            name: string;
            count: number;
            lastSeen: string;
        };
        /**
         * EventOut
         * @description One event; `properties` is the JSON as it was sent, `actorLabel` the newest label of the actor.
         */
        EventOut: {
            id: string;
            name: string;
            source: string | null;
            timestamp: string;
            properties: unknown;
            actorKey: string | null;
            actorLabel: string | null;
        };
        /** EventType */
        EventType: {
            name: string;
            count: number;
        };
        /** ExternalSourceChange */
        ExternalSourceChange: {
            name?: string;
            host?: string;
            headerName?: string | null;
            token?: string | null;
        };
        /** ExternalSourceIn */
        ExternalSourceIn: {
            name: string;
            host: string;
            headerName?: string | null;
            token?: string | null;
        };
        /** ExternalSourceOut */
        ExternalSourceOut: {
            id: string;
            name: string;
            host: string;
            headerName: string | null;
            tokenPreview: string | null;
        };
        /** ExternalSourcesOut */
        ExternalSourcesOut: {
            externalSources: components["schemas"]["ExternalSourceOut"][];
        };
        /**
         * Filter
         * @description A condition that events must meet.
         */
        Filter: components["schemas"]["FilterCondition"] | components["schemas"]["FilterAlternatives"];
        /** FiringDay */
        FiringDay: {
            day: string;
            fired: number;
        };
        /** Formula */
        Formula: {
            a: components["schemas"]["CountedMeasure"];
            b?: components["schemas"]["CountedMeasure"] | null;
            c?: components["schemas"]["CountedMeasure"] | null;
            d?: components["schemas"]["CountedMeasure"] | null;
            expression: string;
        };
        /** Found */
        Found: {
            data: components["schemas"]["Results"];
        };
        /** FullComparison */
        FullComparison: {
            data: components["schemas"]["BotRecord"][];
        };
        /** GroupDetail */
        GroupDetail: {
            groupKey: string;
            propKey: string;
            lastActive: string;
            eventCount: number;
            perDay: number;
            firstSeen: string;
            lastSeen: string;
            eventTypes: components["schemas"]["EventType"][];
            recent: components["schemas"]["EventOut"][];
            notices?: components["schemas"]["Notice"][];
        };
        /** GroupKeyChange */
        GroupKeyChange: {
            label?: string;
            makeDefault?: boolean;
        };
        /** GroupKeyIn */
        GroupKeyIn: {
            propKey: string;
            /** @default  */
            label?: string;
            /** @default false */
            makeDefault?: boolean;
        };
        /** GroupKeyOut */
        GroupKeyOut: {
            id: string;
            propKey: string;
            label: string;
            isDefault: boolean;
            createdAt: string;
        };
        /** GroupKeysOut */
        GroupKeysOut: {
            keys: components["schemas"]["GroupKeyOut"][];
            candidates: string[];
            notices?: components["schemas"]["Notice"][];
        };
        /** GroupList */
        GroupList: {
            propKey: string | null;
            groups: components["schemas"]["GroupRow"][];
            next: string | null;
            notices?: components["schemas"]["Notice"][];
        };
        /** GroupRow */
        GroupRow: {
            groupKey: string;
            eventCount: number;
            lastSeen: string;
        };
        /** GroupsBehind */
        GroupsBehind: {
            total: number;
            groups: components["schemas"]["GroupRow"][];
            next: string | null;
            notices?: components["schemas"]["Notice"][];
        };
        /** History */
        History: {
            data: {
                [key: string]: string | number;
            }[];
        };
        /** IdentityOut */
        IdentityOut: {
            user: components["schemas"]["UserOut"];
            workspace: components["schemas"]["WorkspaceOut"];
            role: string;
            workspaces: components["schemas"]["MembershipOut"][];
        };
        /** Imported */
        Imported: {
            bots: number;
            votes: number;
            repeated: number;
            known: number | null;
        };
        /** InitiatorOut */
        InitiatorOut: {
            id: string | null;
            email: string;
        };
        /** InviteIn */
        InviteIn: {
            email: string;
            role: components["schemas"]["Role"];
        };
        /** InviteOut */
        InviteOut: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            createdAt: string;
            createdBy: string | null;
            expiresAt: string;
        };
        /** InvitesOut */
        InvitesOut: {
            invites: components["schemas"]["InviteOut"][];
        };
        /** KeyChange */
        KeyChange: {
            name?: string;
        };
        /** KeyIn */
        KeyIn: {
            name: string;
            environment: string;
            kind?: components["schemas"]["KeyKind"];
        };
        /**
         * KeyKind
         * @description What an API key may do (rules/people#key-kinds).
         * @default secret
         * @enum {string}
         */
        KeyKind: "secret" | "ingest";
        /** KeyOut */
        KeyOut: {
            id: string;
            name: string;
            environment: string;
            kind: components["schemas"]["KeyKind"];
            prefix: string;
            createdAt: string;
            createdBy: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        /** KeyWorkspaceOut */
        KeyWorkspaceOut: {
            id: string;
            name: string;
            timezone: string;
        };
        /** KeyedHistories */
        KeyedHistories: {
            data: {
                [key: string]: {
                    [key: string]: string | number;
                }[];
            };
        };
        /** KeysOut */
        KeysOut: {
            keys: components["schemas"]["KeyOut"][];
        };
        /** LastDeliveryOut */
        LastDeliveryOut: {
            channelId: string;
            at: string;
            /** @enum {string} */
            status: "waiting" | "sent" | "failed";
            error: string | null;
        };
        /** Layout */
        Layout: {
            /** @default 6 */
            w?: number;
            /** @default 4 */
            h?: number;
        };
        /** LayoutChange */
        LayoutChange: {
            w?: number;
            h?: number;
        };
        /** Leaderboard */
        Leaderboard: {
            code: number;
            data: components["schemas"]["LeaderboardPage"];
        };
        /** LeaderboardEntry */
        LeaderboardEntry: {
            position: string;
            connectionId: string;
            userId: string;
            voteCount: number;
            totalVotesByWeight: number;
            streakCount: number;
            lastVote: string;
            user: components["schemas"]["User"];
        };
        /** LeaderboardPage */
        LeaderboardPage: {
            total: number;
            leaderboard: components["schemas"]["LeaderboardEntry"][];
        };
        /** LeaderboardPlace */
        LeaderboardPlace: {
            code: number;
            total: string;
            data: components["schemas"]["LeaderboardEntry"];
        };
        /** ListedHistories */
        ListedHistories: {
            data: components["schemas"]["BotHistory"][];
        };
        /** ListingChange */
        ListingChange: {
            isPublic: boolean;
        };
        /** ListingOut */
        ListingOut: {
            isPublic: boolean;
            slug: string | null;
        };
        /** LoginIn */
        LoginIn: {
            email: string;
            password: string;
        };
        /** MailOut */
        MailOut: {
            recipient: string;
            status: string;
            attempts: number;
            error: string | null;
            sentAt: string | null;
            nextAttemptAt: string | null;
        };
        /** MemberOut */
        MemberOut: {
            id: string;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            joinedAt: string;
        };
        /** MembersOut */
        MembersOut: {
            members: components["schemas"]["MemberOut"][];
        };
        /** MembershipOut */
        MembershipOut: {
            id: string;
            name: string;
            plan: string;
            timezone: string;
            role: string;
        };
        /** NewAlertChannelOut */
        NewAlertChannelOut: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "email" | "webhook" | "slack" | "discord" | "telegram";
            destinationPreview: string;
            enabled: boolean;
            createdAt: string;
            secret?: string;
        };
        /** NewInviteOut */
        NewInviteOut: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            createdAt: string;
            createdBy: string | null;
            expiresAt: string;
            token: string;
        };
        /** NewKeyOut */
        NewKeyOut: {
            id: string;
            name: string;
            environment: string;
            kind: components["schemas"]["KeyKind"];
            prefix: string;
            createdAt: string;
            createdBy: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
            secret: string;
        };
        /** NewStatsTokenOut */
        NewStatsTokenOut: {
            id: string;
            name: string;
            scope: components["schemas"]["StatsScope"];
            botId: string | null;
            prefix: string;
            createdAt: string;
            createdBy: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
            secret: string;
        };
        /** NewTokenOut */
        NewTokenOut: {
            id: string;
            name: string;
            scopes: components["schemas"]["TokenScope"][];
            environment: string | null;
            prefix: string;
            createdAt: string;
            createdBy: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
            secret: string;
        };
        /**
         * Notice
         * @description Something that readers of an answer should know.
         *
         *         `incomplete_data`: the answer covers a time from which events were lost, or put aside as damaged.
         *         `not_up_to_date`: the newest events are stored but not counted yet; ask again shortly to count them.
         *         `unknown_event`, `unknown_property`: no event of the environment has ever had `name`; `suggestion` is the name
         *         that was probably meant.
         *         `no_numbers`: a measure needs numbers, and no event of the time range has one in the property.
         *         `older_only`: all events are older than the time range.
         */
        Notice: {
            /** @enum {unknown} */
            code: "incomplete_data" | "no_numbers" | "not_up_to_date" | "older_only" | "unknown_event" | "unknown_property";
            message: string;
            name?: string;
            suggestion?: string;
        };
        /** OrderIn */
        OrderIn: {
            widgetIds: string[];
        };
        /** Outline */
        Outline: {
            answer: string;
            /** @default 1 */
            parts?: number;
        };
        /** OwnKeyOut */
        OwnKeyOut: {
            environment: string;
            workspace: components["schemas"]["KeyWorkspaceOut"];
            limits: components["schemas"]["EventLimitsOut"];
            now: string;
        };
        /** PasswordIn */
        PasswordIn: {
            current: string;
            new: string;
        };
        /** PastIncidentOut */
        PastIncidentOut: {
            firedAt: string;
            resolvedAt: string | null;
            value: number | null;
        };
        /** PastMinutes */
        PastMinutes: {
            values: (number | null)[];
            lengths: number[];
        };
        /** PastPoint */
        PastPoint: {
            t: string;
            value: number | null;
        };
        /** PercentageChanges */
        PercentageChanges: {
            daily: number;
            monthly: number;
        };
        /** Posted */
        Posted: {
            id: string;
            timestamp: string;
        };
        /** ProfileIn */
        ProfileIn: {
            name?: string;
            listingId?: string;
            certified?: boolean;
            owners?: string[];
            deleted?: boolean;
            def_avatar?: string;
            avatar?: string;
            short_desc?: string;
            lib?: string;
            prefix?: string;
            website?: string;
            approved_at?: string | number | null;
            tags?: string[];
            unlisted?: boolean;
            unlisted_reason?: string | null;
            counter_source?: "posted" | "votes";
        };
        /** PropertyKey */
        PropertyKey: {
            key: string;
            types: ("string" | "number" | "list" | "boolean" | "object")[];
            examples: string[];
        };
        /** PublicDashboard */
        PublicDashboard: {
            name: string;
            description: string | null;
            icon: string | null;
            timeRange: string;
            timezone: string;
        };
        /** PublicPage */
        PublicPage: {
            dashboard: components["schemas"]["PublicDashboard"];
            widgets: components["schemas"]["PublicWidget"][];
        };
        /** PublicWidget */
        PublicWidget: {
            id: string;
            title: string;
            type: string;
            layout: components["schemas"]["Layout"];
            position: number;
            display: components["schemas"]["Display"];
            outline: components["schemas"]["Outline"];
        };
        /** QueryActorsIn */
        QueryActorsIn: {
            environment: string;
            /** @enum {string} */
            type: "external" | "formula" | "funnel" | "heatmap" | "histogram" | "kpi" | "metric" | "note" | "retention" | "table";
            config: components["schemas"]["WidgetConfig"];
            /** @description A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`. */
            timeRange?: ("1h" | "24h" | "7d" | "30d" | "90d") | ("today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all");
            /** @description With `to`, instead of `timeRange`: the start, in ISO 8601. */
            from?: string;
            /** @description With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601. */
            to?: string;
            /**
             * @description The length of time buckets; overrides the config.
             * @enum {null|string}
             */
            interval?: "auto" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description What to compare with; overrides the config. true and `previous` mean the previous time range. */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            foldSeries?: boolean;
            at?: components["schemas"]["Spot"];
            limit?: number | null;
            cursor?: string | null;
        };
        /** QueryDifferencesIn */
        QueryDifferencesIn: {
            environment: string;
            /** @enum {string} */
            type: "external" | "formula" | "funnel" | "heatmap" | "histogram" | "kpi" | "metric" | "note" | "retention" | "table";
            config: components["schemas"]["WidgetConfig"];
            /** @description A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`. */
            timeRange?: ("1h" | "24h" | "7d" | "30d" | "90d") | ("today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all");
            /** @description With `to`, instead of `timeRange`: the start, in ISO 8601. */
            from?: string;
            /** @description With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601. */
            to?: string;
            /**
             * @description The length of time buckets; overrides the config.
             * @enum {null|string}
             */
            interval?: "auto" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description What to compare with; overrides the config. true and `previous` mean the previous time range. */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            foldSeries?: boolean;
            at?: components["schemas"]["Spot"];
            /** @enum {null|string} */
            by?: "events" | "actors" | null;
            /** @default 10 */
            limit?: number;
        };
        /** QueryIn */
        QueryIn: {
            environment: string;
            /** @enum {string} */
            type: "external" | "formula" | "funnel" | "heatmap" | "histogram" | "kpi" | "metric" | "note" | "retention" | "table";
            config: components["schemas"]["WidgetConfig"];
            /** @description A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`. */
            timeRange?: ("1h" | "24h" | "7d" | "30d" | "90d") | ("today" | "yesterday" | "wtd" | "mtd" | "ytd" | "last_week" | "last_month" | "12mo" | "all");
            /** @description With `to`, instead of `timeRange`: the start, in ISO 8601. */
            from?: string;
            /** @description With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601. */
            to?: string;
            /**
             * @description The length of time buckets; overrides the config.
             * @enum {null|string}
             */
            interval?: "auto" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description What to compare with; overrides the config. true and `previous` mean the previous time range. */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            foldSeries?: boolean;
        };
        /** RankingEntry */
        RankingEntry: {
            id: string;
            name: string;
            monthly_votes: number;
            monthly_votes_rank: number;
            server_count: number;
            server_count_rank: number;
            total_votes: number;
            total_votes_rank: number;
            review_count: number;
            monthly_votes_rank_change: number;
            server_count_rank_change: number;
            total_votes_rank_change: number;
            unreported?: string[];
        };
        /** Rankings */
        Rankings: {
            totalBotCount: number;
            data: components["schemas"]["RankingEntry"][];
        };
        /** Readiness */
        Readiness: {
            status: string;
            checks: {
                [key: string]: string;
            };
            version: string;
            notices?: string[];
        };
        /** Recent */
        Recent: {
            hourlyData: components["schemas"]["RecentEntry"][];
            dailyData: components["schemas"]["RecentEntry"][];
        };
        /** RecentEntry */
        RecentEntry: {
            time: string;
            monthly_votes: number;
            total_votes: number;
            server_count: number;
            review_count: number;
            monthly_votes_change: number;
            monthly_votes_change_perc: number;
            total_votes_change: number;
            server_count_change: number;
            review_count_change: number;
        };
        /** Refusal */
        Refusal: {
            at: string;
            status: number;
            error: string;
            message: string;
            requestId: string;
            userAgent?: string | null;
        };
        /** RefusalList */
        RefusalList: {
            refusals: components["schemas"]["Refusal"][];
        };
        /** ResetConfirmIn */
        ResetConfirmIn: {
            token: string;
            password: string;
        };
        /** ResetIn */
        ResetIn: {
            email: string;
        };
        /**
         * Result
         * @description An answer; `kind` names its form.
         */
        Result: components["schemas"]["External"] | components["schemas"]["Counter"] | components["schemas"]["Timeseries"] | components["schemas"]["Categorical"] | components["schemas"]["Multiseries"] | components["schemas"]["Funnel"] | components["schemas"]["Heatmap"] | components["schemas"]["Histogram"] | components["schemas"]["Kpi"] | components["schemas"]["Note"] | components["schemas"]["Retention"] | components["schemas"]["Table"];
        /** Results */
        Results: {
            total: number;
            results: components["schemas"]["BotRecord"][];
        };
        /**
         * Role
         * @description What a member may do; each role includes the ones before it.
         * @enum {string}
         */
        Role: "viewer" | "developer" | "admin" | "owner";
        /** RoleIn */
        RoleIn: {
            role: components["schemas"]["Role"];
        };
        /** SchemaOut */
        SchemaOut: {
            events: components["schemas"]["EventName"][];
            properties: components["schemas"]["PropertyKey"][];
            notices?: components["schemas"]["Notice"][];
        };
        /** SdkStatsIn */
        SdkStatsIn: {
            server_count?: number | number[];
            shards?: number[];
            shard_id?: number | null;
            shard_count?: number | null;
        };
        /** SegmentChange */
        SegmentChange: {
            name?: string;
            filters?: components["schemas"]["Filter"][];
        };
        /** SegmentIn */
        SegmentIn: {
            name: string;
            environment: string;
            filters: components["schemas"]["Filter"][];
        };
        /** SegmentOut */
        SegmentOut: {
            id: string;
            name: string;
            environment: string;
            filters: components["schemas"]["Filter"][];
            createdAt: string;
            updatedAt: string;
        };
        /** SegmentsOut */
        SegmentsOut: {
            segments: components["schemas"]["SegmentOut"][];
        };
        /** SendingOut */
        SendingOut: {
            id: string;
            dueAt: string;
            mails: components["schemas"]["MailOut"][];
        };
        /** SendingsOut */
        SendingsOut: {
            sendings: components["schemas"]["SendingOut"][];
        };
        /**
         * Shift
         * @description A comparison with the same window this much earlier, by the calendar of the workspace's time zone.
         */
        Shift: {
            /** @enum {unknown} */
            shift: "1d" | "1mo" | "1y" | "28d" | "7d";
        };
        /** SignInLinkOut */
        SignInLinkOut: {
            url: string;
            expiresAt: string;
        };
        /** SignupIn */
        SignupIn: {
            email: string;
            password: string;
            name: string;
            workspaceName?: string | null;
            /** @default UTC */
            timezone?: string;
        };
        /** SignupOut */
        SignupOut: {
            first: boolean;
            open: boolean;
        };
        /**
         * Spot
         * @default {}
         */
        Spot: {
            t?: string;
            label?: string | null;
            kind?: "none" | "other";
            item?: number;
            step?: number;
            outcome?: "reached" | "dropped" | "stopped" | "waiting";
            cohort?: string;
            period?: number;
            bucket?: number;
            cell?: [
                number,
                number
            ];
        };
        /** StatsIn */
        StatsIn: {
            server_count?: number;
            shard_count?: number;
            monthly_votes?: number;
            total_votes?: number;
            review_count?: number;
            avg_review_rating?: number;
            timestamp?: string | number;
        };
        /**
         * StatsScope
         * @description What a Statistics API token may do.
         * @enum {string}
         */
        StatsScope: "read" | "write" | "bot";
        /** StatsTokenIn */
        StatsTokenIn: {
            name: string;
            scope: components["schemas"]["StatsScope"];
            botId?: string | null;
        };
        /** StatsTokenOut */
        StatsTokenOut: {
            id: string;
            name: string;
            scope: components["schemas"]["StatsScope"];
            botId: string | null;
            prefix: string;
            createdAt: string;
            createdBy: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        /** StatsTokensOut */
        StatsTokensOut: {
            statsTokens: components["schemas"]["StatsTokenOut"][];
        };
        /** TimelineEvent */
        TimelineEvent: {
            id: string;
            name: string;
            timestamp: string;
            source: string | null;
            properties: unknown;
        };
        /** TokenIn */
        TokenIn: {
            name: string;
            scopes: components["schemas"]["TokenScope"][];
            environment?: string | null;
            expiresAt?: string | null;
        };
        /** TokenOut */
        TokenOut: {
            id: string;
            name: string;
            scopes: components["schemas"]["TokenScope"][];
            environment: string | null;
            prefix: string;
            createdAt: string;
            createdBy: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        /**
         * TokenScope
         * @description What a personal access token may do; none of them includes another.
         * @enum {string}
         */
        TokenScope: "read" | "write" | "annotate" | "export";
        /** TokensOut */
        TokensOut: {
            tokens: components["schemas"]["TokenOut"][];
        };
        /** UsageOut */
        UsageOut: {
            plan: string;
            period: string;
            used: number;
            cap: number | null;
            resetsAt: string;
        };
        /** User */
        User: {
            listingId: string;
            chatId: string;
            username: string;
            avatar: string;
        };
        /** UserOut */
        UserOut: {
            id: string;
            email: string;
            name: string;
        };
        /** UsersBots */
        UsersBots: {
            bots: components["schemas"]["BotRecord"][];
        };
        /** UsualBand */
        UsualBand: {
            low: number;
            high: number;
        };
        /** Voted */
        Voted: {
            counted: boolean;
            reason?: string | null;
        };
        /** WebhookSecretIn */
        WebhookSecretIn: {
            secret: string;
        };
        /** WebhookSecretOut */
        WebhookSecretOut: {
            isSet: boolean;
        };
        /** WidgetChange */
        WidgetChange: {
            title?: string;
            /** @enum {string} */
            type?: "external" | "formula" | "funnel" | "heatmap" | "histogram" | "kpi" | "metric" | "note" | "retention" | "table";
            config?: components["schemas"]["WidgetConfig"];
            layout?: components["schemas"]["LayoutChange"];
            publishRows?: boolean;
            ignoreDashboardFilters?: boolean;
        };
        /** WidgetIn */
        WidgetIn: {
            /** @enum {string} */
            type: "external" | "formula" | "funnel" | "heatmap" | "histogram" | "kpi" | "metric" | "note" | "retention" | "table";
            config: components["schemas"]["WidgetConfig"];
            /** @default  */
            title?: string;
            layout?: components["schemas"]["Layout"];
            /** @default false */
            publishRows?: boolean;
            /** @default false */
            ignoreDashboardFilters?: boolean;
        };
        /** WidgetOut */
        WidgetOut: {
            id: string;
            dashboardId: string;
            title: string;
            /** @enum {string} */
            type: "external" | "formula" | "funnel" | "heatmap" | "histogram" | "kpi" | "metric" | "note" | "retention" | "table";
            config: components["schemas"]["WidgetConfig"];
            layout: components["schemas"]["Layout"];
            publishRows: boolean;
            ignoreDashboardFilters: boolean;
            position: number;
            createdAt: string;
            updatedAt: string;
        };
        /** WidgetsOut */
        WidgetsOut: {
            widgets: components["schemas"]["WidgetOut"][];
        };
        /** WorkspaceChange */
        WorkspaceChange: {
            name?: string;
            timezone?: string;
        };
        /** WorkspaceIn */
        WorkspaceIn: {
            name: string;
            /** @default UTC */
            timezone?: string;
        };
        /** WorkspaceOut */
        WorkspaceOut: {
            id: string;
            name: string;
            plan: string;
            timezone: string;
        };
        /** WorkspacesOut */
        WorkspacesOut: {
            workspaces: components["schemas"]["MembershipOut"][];
        };
        /**
         * EventIn
         * @description One event as a client sends it.
         */
        EventIn: {
            /** @description What happened. */
            name: string;
            /**
             * @description Any keys, with any JSON values.
             * @default {}
             */
            properties?: Record<string, never>;
            /**
             * @description Who did it.
             * @default
             */
            _actor?: string;
            /**
             * @description Display name of the actor.
             * @default
             */
            _actorLabel?: string;
            /**
             * @description Where the event was sent from.
             * @default
             */
            _source?: string;
            /** @description When it happened; the time of receipt by default. */
            _timestamp?: string;
        };
        /**
         * EventBatch
         * @description Several events: the server accepts all or none of them.
         */
        EventBatch: {
            events: components["schemas"]["EventIn"][];
        };
        /**
         * AcceptedOut
         * @description The number of events that are now durable.
         */
        AcceptedOut: {
            accepted: number;
        };
        /**
         * ErrorBody
         * @description The error shape of the whole API; `expires_in` (milliseconds) is present when the Statistics API answers 429.
         */
        ErrorBody: {
            code: number;
            error: string;
            message: string;
            details: components["schemas"]["Detail"][];
            requestId: string;
            expiresIn?: number;
        };
        /**
         * Detail
         * @description One thing that is wrong: where (`path`, as in ``["events", 3, "name"]``) and why.
         */
        Detail: {
            path: (string | number)[];
            message: string;
        };
        /**
         * GraphRequest
         * @description A graph to draw. Points with the same `id` form a series; `colors` are in the order of their first points.
         */
        GraphRequest: {
            data_points: components["schemas"]["DataPoint"][];
            /** @default  */
            name?: string;
            /** @default [] */
            colors?: string[];
            /** @default 1000 */
            width?: number;
            /** @default 400 */
            height?: number;
            /** @default 1 */
            scale?: number;
            /**
             * @default light
             * @enum {unknown}
             */
            theme?: "auto" | "dark" | "light";
            /** @default null */
            background?: string | null;
            /** @default null */
            fill?: boolean | null;
        };
        /**
         * DataPoint
         * @description A point of the series `id`: seconds since 1970, or milliseconds if all `x` are above 10^11, and a value.
         */
        DataPoint: {
            id: string;
            x: number;
            y: number;
        };
        /**
         * ImportRows
         * @description Rows to import, all of them or none. A vote has the fields of `VoteIn` and the bot's ID in `bot`.
         *
         *         Any other row is a bot: `id`, and fields of `ProfileIn` and `StatsIn`.
         */
        ImportRows: {
            rows: Record<string, never>[];
        };
        /**
         * ExternalConfig
         * @description What to fetch, and where the value is in the answer.
         */
        ExternalConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            sourceId: string;
            url: string;
            valuePath: string;
            /** @enum {unknown} */
            valueType: "number" | "text";
        };
        /**
         * DisplayOptions
         * @description How to show a widget; this does not change any number. Options that do not fit its answer are ignored.
         *
         *         `axis` begins at zero or fits the values; `goal` is a line to reach; `unit` is shown after numbers. `colors` has the
         *         colors, 1 to 8, of values of the breakdown (rules/pictures#color-of-a-value).
         */
        DisplayOptions: {
            /** @default null */
            chart?: ("area" | "bar" | "line" | "list" | "number" | "pie") | null;
            /** @default null */
            stack?: boolean | null;
            /** @default null */
            axis?: ("fit" | "zero") | null;
            /** @default null */
            legend?: boolean | null;
            /** @default null */
            goal?: number | null;
            /** @default null */
            good?: ("down" | "none" | "up") | null;
            /** @default null */
            decimals?: number | null;
            /** @default null */
            unit?: string | null;
            /** @default null */
            colors?: {
                [key: string]: number;
            } | null;
        };
        /**
         * FormulaConfig
         * @description Which measures to combine, and how to show the result.
         *
         *         `expression` is arithmetic with the parts `a` to `d`, such as `a / b * 100`. `breakdown` and `overTime` split each
         *         part by a key and into buckets; `limit` is the maximum number of labels. By default, `compare` is the previous
         *         window for one number, and nothing over time.
         */
        FormulaConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            a: components["schemas"]["CountedMeasure"];
            /** @default null */
            b?: components["schemas"]["CountedMeasure"] | null;
            /** @default null */
            c?: components["schemas"]["CountedMeasure"] | null;
            /** @default null */
            d?: components["schemas"]["CountedMeasure"] | null;
            expression: string;
            /** @default null */
            breakdown?: string | null;
            /** @default false */
            overTime?: boolean;
            /** @default 10 */
            limit?: number;
            /** @default null */
            interval?: ("auto" | "day" | "hour" | "minute" | "month" | "week") | null;
            /** @default null */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
        };
        /**
         * FunnelConfig
         * @description The steps in their order, and what goes through them.
         *
         *         `windowHours` is the time for each step, or for the whole chain with `windowFrom` `first`. `breakdown` is a key:
         *         each label of the first step's event gets a series. With `times`, the answer shows how long each step took. All
         *         events of a chain have the same value of the key `holding`, and no event of `exclude` comes between its two steps.
         */
        FunnelConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            steps: components["schemas"]["Step"][];
            /** @default 168 */
            windowHours?: number;
            /**
             * @default previous
             * @enum {unknown}
             */
            windowFrom?: "first" | "previous";
            /**
             * @default actor
             * @enum {unknown}
             */
            count?: "actor" | "group";
            /** @default null */
            breakdown?: string | null;
            /** @default false */
            times?: boolean;
            /** @default null */
            holding?: string | null;
            /** @default [] */
            exclude?: components["schemas"]["Exclusion"][];
        };
        /**
         * Step
         * @description One step: its events and their filters.
         */
        Step: {
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
        };
        /**
         * Exclusion
         * @description An event that must not come between the events of two steps, which count from 1.
         */
        Exclusion: {
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            between: [
                number,
                number
            ];
        };
        /**
         * HeatmapConfig
         * @description Which events; `timezone` is the workspace's by default.
         */
        HeatmapConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /** @default null */
            timezone?: string | null;
        };
        /**
         * HistogramConfig
         * @description Which events, which of their numbers, how many buckets, and whether to add percentiles.
         */
        HistogramConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            property: string;
            /** @default 20 */
            buckets?: number;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /** @default false */
            percentiles?: boolean;
        };
        /**
         * KpiConfig
         * @description The numbers in order; `compare` is the previous window by default, and `sparklines` adds points over time.
         */
        KpiConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            items: components["schemas"]["KpiItem"][];
            /** @default null */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default false */
            sparklines?: boolean;
        };
        /**
         * KpiItem
         * @description One number; by default, `label` is the name of its event. `goal` is a number to reach.
         */
        KpiItem: {
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            /** @enum {unknown} */
            measure: "avg" | "count" | "max" | "median" | "min" | "p95" | "p99" | "sum" | "uniq" | "uniq_actors";
            /** @default null */
            property?: string | null;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /** @default null */
            label?: string | null;
            /** @default null */
            good?: ("down" | "none" | "up") | null;
            /** @default null */
            goal?: number | null;
        };
        /**
         * MetricConfig
         * @description What to measure, and how to show it.
         *
         *         `breakdown` and `overTime` split the measure by a key and into buckets; `limit` is the maximum number of labels.
         *         `rest` adds the events without a label, those with other labels, or both. By default, `compare` is the previous
         *         window for one number, and nothing over time. `chart`, `goal` and `good` are as in `display`, which overrides them.
         */
        MetricConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            /** @enum {unknown} */
            measure: "avg" | "count" | "max" | "median" | "min" | "p95" | "p99" | "sum" | "uniq" | "uniq_actors";
            /** @default null */
            property?: string | null;
            /** @default null */
            breakdown?: string | null;
            /** @default false */
            overTime?: boolean;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
            /** @default 10 */
            limit?: number;
            /** @default null */
            rest?: ("both" | "none" | "other") | null;
            /** @default null */
            interval?: ("auto" | "day" | "hour" | "minute" | "month" | "week") | null;
            /** @default null */
            compare?: boolean | "previous" | components["schemas"]["Shift"] | null;
            /** @default null */
            chart?: ("area" | "bar" | "line" | "list" | "number" | "pie") | null;
            /** @default null */
            goal?: number | null;
            /** @default null */
            good?: ("down" | "none" | "up") | null;
        };
        /**
         * NoteConfig
         * @description The text, in Markdown.
         */
        NoteConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            text: string;
        };
        /**
         * RetentionConfig
         * @description Which event puts a unit into a cohort, and which event shows that it came back.
         *
         *         The first `cohortEvent` of a unit decides its cohort. `returnEvent` is the same event by default. Weeks start on
         *         Monday. `periods` includes the current one.
         */
        RetentionConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            cohortEvent: string;
            /** @default null */
            returnEvent?: string | null;
            /**
             * @default day
             * @enum {unknown}
             */
            granularity?: "day" | "month" | "week";
            /** @default 8 */
            periods?: number;
            /**
             * @default actor
             * @enum {unknown}
             */
            count?: "actor" | "group";
            /** @default [] */
            cohortFilters?: components["schemas"]["Filter"][];
            /** @default [] */
            returnFilters?: components["schemas"]["Filter"][];
        };
        /**
         * TableConfig
         * @description Which events (all by default), and which of their fields.
         */
        TableConfig: {
            /** @default null */
            display?: components["schemas"]["DisplayOptions"] | null;
            /** @default null */
            segmentId?: string | null;
            /** @default null */
            event?: string | null;
            /** @default null */
            events?: string[] | "all" | null;
            columns: string[];
            /** @default 25 */
            rows?: number;
            /** @default [] */
            filters?: components["schemas"]["Filter"][];
        };
        /**
         * External
         * @description The value and when it was fetched; with an `error`, the last known value, if any.
         */
        External: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "external";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            value: number | string | null;
            fetchedAt: string | null;
            error: string | null;
        };
        /**
         * Counter
         * @description A number; `previous` is the number for the previous window, and `delta` is the change as a fraction.
         */
        Counter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "counter";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            value: number | null;
            previous: number | null;
            delta: number | null;
        };
        /**
         * Timeseries
         * @description Every bucket of the window; `compared` has the buckets of the window it is compared with.
         *
         *         `total` and `comparedTotal` are the measure over each whole window, if it is known (rules/questions#total).
         */
        Timeseries: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "timeseries";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            /** @enum {unknown} */
            interval: "day" | "hour" | "minute" | "month" | "week";
            points: components["schemas"]["TimePoint"][];
            compared?: components["schemas"]["TimePoint"][];
            total?: number | null;
            comparedTotal?: number | null;
        };
        /**
         * TimePoint
         * @description A bucket: its start, and the value measured in it, None if it begins later than now.
         *
         *         It is `partial` if the window covers only part of it, or if it is not over. It is also `cut` if the window has ended
         *         within it, so that its value stays as it is.
         */
        TimePoint: {
            t: string;
            value: number | null;
            partial?: boolean;
            cut?: boolean;
        };
        /**
         * Categorical
         * @description The labels with the highest values, highest first, and then the rest.
         */
        Categorical: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "categorical";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            rows: components["schemas"]["LabelRow"][];
        };
        /**
         * LabelRow
         * @description A label and the measure of its events; for a row of the rest, the label is null, and `kind` names it.
         *
         *         Answers for the public have the `color` of the label, 1 to 8, except for the row of other labels.
         */
        LabelRow: {
            label: string | null;
            value: number | null;
            /** @enum {unknown} */
            kind?: "none" | "other";
            color?: number;
        };
        /**
         * Multiseries
         * @description The labels with the highest values in the whole window, highest first, and then the rest.
         */
        Multiseries: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "multiseries";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            /** @enum {unknown} */
            interval: "day" | "hour" | "minute" | "month" | "week";
            series: components["schemas"]["Series"][];
        };
        /**
         * Series
         * @description The timeseries of one label; for a series of the rest, whose label is null, `kind` names it.
         *
         *         Answers for the public have the `color` of the label, 1 to 8, except for the series of other labels.
         */
        Series: {
            label: string | null;
            points: components["schemas"]["TimePoint"][];
            compared?: components["schemas"]["TimePoint"][];
            /** @enum {unknown} */
            kind?: "none" | "other";
            total?: number | null;
            comparedTotal?: number | null;
            color?: number;
        };
        /**
         * Funnel
         * @description The steps; `count` is the unit that was counted, and `series` is present with a breakdown.
         */
        Funnel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "funnel";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            /** @enum {unknown} */
            count: "actor" | "group";
            steps: components["schemas"]["FunnelStep"][];
            series?: components["schemas"]["FunnelSeries"][];
        };
        /**
         * FunnelStep
         * @description How many units reached a step.
         *
         *         `rate` is the fraction of the units that reached the first step, and `stepRate` of the units that reached the
         *         previous step; both are 0 if there are none, and `stepRate` of the first step is 1. `waiting` is how many of the
         *         units did not reach the next step but still had time for it at the end of the time range.
         *         `medianSecondsFromPrevious` is null for the first step and if no unit reached the step. `times` is present if
         *         requested, except for the first step: how many units took how many seconds.
         */
        FunnelStep: {
            event: string;
            count: number;
            rate: number;
            stepRate: number;
            waiting: number;
            medianSecondsFromPrevious: number | null;
            times?: components["schemas"]["Bucket"][];
        };
        /**
         * Bucket
         * @description How many values are at least `from` and less than `to`; the last bucket includes its `to`.
         */
        Bucket: {
            from: number;
            to: number;
            count: number;
        };
        /**
         * FunnelSeries
         * @description The funnel of the units whose first event has the label. Answers for the public have its `color`, 1 to 8.
         */
        FunnelSeries: {
            label: string;
            steps: components["schemas"]["FunnelStep"][];
            color?: number;
        };
        /**
         * Heatmap
         * @description Counts by day of the week (Monday first) and hour of the day; None for an hour outside of the window.
         */
        Heatmap: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "heatmap";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            cells: (number | null)[][];
        };
        /**
         * Histogram
         * @description Buckets of one width from the smallest to the largest value; none without a value, one if all are equal.
         */
        Histogram: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "histogram";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            buckets: components["schemas"]["Bucket"][];
            percentiles?: components["schemas"]["Percentiles"];
        };
        /**
         * Percentiles
         * @description The same numbers as a metric's measures with these names.
         */
        Percentiles: {
            median: number | null;
            p95: number | null;
        };
        /**
         * Kpi
         * @description The numbers, in the order of the config.
         */
        Kpi: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "kpi";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            items: components["schemas"]["KpiNumber"][];
        };
        /**
         * KpiNumber
         * @description One number, as in a counter; with sparklines, it has its points over time.
         */
        KpiNumber: {
            label: string;
            value: number | null;
            previous: number | null;
            delta: number | null;
            points?: components["schemas"]["TimePoint"][];
        };
        /**
         * Note
         * @description The text as it was saved.
         */
        Note: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "note";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            text: string;
        };
        /**
         * Retention
         * @description The cohorts, oldest first; `count` is the unit that was counted.
         */
        Retention: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "retention";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            /** @enum {unknown} */
            granularity: "day" | "month" | "week";
            /** @enum {unknown} */
            count: "actor" | "group";
            cohorts: components["schemas"]["Cohort"][];
        };
        /**
         * Cohort
         * @description The cohort of the period from `start`, UTC; `values` has `size`, then how many came back in each later period.
         */
        Cohort: {
            start: string;
            size: number;
            values: number[];
        };
        /**
         * Table
         * @description The newest events, newest first; `rowsWithheld` is true if the public does not get them.
         */
        Table: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "table";
            /** @default  */
            computedAt?: string;
            notices?: components["schemas"]["Notice"][];
            columns: string[];
            rows: components["schemas"]["TableRow"][];
            rowsWithheld?: boolean;
        };
        /**
         * TableRow
         * @description One event, as the columns show it and as a whole; a public page does not get `event`.
         */
        TableRow: {
            id: string;
            values: Record<string, never>;
            event?: components["schemas"]["EventOut"];
        };
        /**
         * WidgetConfig
         * @description The config of a widget of this `type`.
         */
        WidgetConfig: components["schemas"]["ExternalConfig"] | components["schemas"]["FormulaConfig"] | components["schemas"]["FunnelConfig"] | components["schemas"]["HeatmapConfig"] | components["schemas"]["HistogramConfig"] | components["schemas"]["KpiConfig"] | components["schemas"]["MetricConfig"] | components["schemas"]["NoteConfig"] | components["schemas"]["RetentionConfig"] | components["schemas"]["TableConfig"];
        /**
         * FilterCondition
         * @description One condition on an event. `value` is a list for `in` and `not_in`, absent for `exists` and `not_exists`, and one value for all others.
         */
        FilterCondition: {
            key: string;
            /** @enum {unknown} */
            op: "contains" | "eq" | "exists" | "gt" | "gte" | "has" | "in" | "lt" | "lte" | "neq" | "not_exists" | "not_in" | "regex" | "starts_with";
            value?: string | boolean | number | (string | boolean | number)[];
        };
        /**
         * FilterAlternatives
         * @description Conditions of which an event must meet at least one.
         */
        FilterAlternatives: {
            any: components["schemas"]["FilterCondition"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
