use games::{GAMES, Game};
use modules::Limits;

use crate::built;

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_module_describes_its_game_as_the_native_one_does() {
    for native in GAMES {
        let module = built::module(native.name(), Limits::default());
        assert_eq!(module.name(), native.name());
        assert_eq!(module.seats(), native.seats());
        assert_eq!(module.rules_version(), native.rules_version());
        assert_eq!(module.action_message(), native.action_message());
        assert_eq!(module.rules_page(), native.rules_page());
        assert_eq!(module.refusals(), native.refusals());
        assert_eq!(module.layout().to_string(), native.layout().to_string());
        // The frozen form lacks what is drawn, so the messages are compared too.
        assert_eq!(module.layout().describe(), native.layout().describe());
        assert_eq!(format!("{:?}", module.options()), format!("{:?}", native.options()));
        for language in ["en", "de", "fr"] {
            assert_eq!(module.words(language), native.words(language));
        }
        for seats in native.seats() {
            assert_eq!(module.best_of(seats), native.best_of(seats));
        }
        for decision in native.layout().decisions() {
            assert_eq!(module.may_stand(decision.id), native.may_stand(decision.id));
        }
    }
}
