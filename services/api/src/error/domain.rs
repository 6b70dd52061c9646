//! The domain of refusals.

use contract::reasons;
use transcoder::Domain;

use crate::meter;

/// The domain of the service's own refusals, which are counted. A game's refusals have the game as
/// their domain.
pub(crate) const DOMAIN: Domain =
    Domain { name: reasons::DOMAIN, on_refusal: |reason| meter::refused(reasons::DOMAIN, reason) };
