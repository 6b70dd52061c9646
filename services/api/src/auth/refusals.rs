//! Why credentials are refused.

use contract::v1::Reason;
use tonic::Status;

use crate::error::status;

pub(crate) fn expired() -> Status {
    status(Reason::TokenExpired, "the token has expired")
}

pub(super) fn revoked() -> Status {
    let message = "the API key or the token was revoked";
    status(Reason::CredentialsRevoked, message)
}

pub(super) fn suspended() -> Status {
    let message = "the platform is suspended";
    status(Reason::PlatformSuspended, message)
}

pub(super) fn key_only() -> Status {
    let message = "this needs the API key itself: the token of a session may not do it";
    status(Reason::ApiKeyOnly, message)
}

pub(super) fn no_code() -> Status {
    let message = "the code to sign in with is unknown, was used already, or has expired";
    status(Reason::SignInCodeInvalid, message)
}

pub(super) fn missing() -> Status {
    let message = "send `authorization: Bearer` with an API key or a token";
    status(Reason::CredentialsMissing, message)
}

pub(super) fn no_scheme() -> Status {
    let message = "the header `authorization` has no bearer credentials: send `authorization: \
                   Bearer {key}`, with an API key or a token in place of `{key}`";
    status(Reason::CredentialsInvalid, message)
}

pub(super) fn invalid() -> Status {
    let message = "the credentials were not issued by this service";
    status(Reason::CredentialsInvalid, message)
}
