//! The catalogue (§1): 27 plots, 27 surveys, 36 disasters, 45 karma cards, 36 market cards.

use table::{Catalogue, Origin, Small};

use super::vocabulary::{
    Back, DisasterCard, Karma, Land, MarketCard, Place, Plot, Resource, SurveyCard,
};
use Window::{Disaster, LastCall, Market, Player, Production};

pub(super) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::default();
    add_plots(&mut catalogue);
    add_surveys(&mut catalogue);
    add_disasters(&mut catalogue);
    add_karma(&mut catalogue);
    add_quotes(&mut catalogue);
    catalogue
}

/// The row of the `nth` card, where each row stands for `count` cards.
fn nth_of<T>(rows: &'static [T], count: impl Fn(&T) -> usize, mut nth: usize) -> &'static T {
    for row in rows {
        if nth < count(row) {
            return row;
        }
        nth -= count(row);
    }
    unreachable!("the rows count every card")
}

// === Plots ===

/// §1.1, §1.2, §18.2: of each land the number of plots, their spots for Energy, Supply and Metal,
/// and the number of End Market cards that value them. The spots and the values are printed; which
/// lands have nine plots and which have three is inferred from the pages of the print plan.
const LANDS: [(Land, usize, [u32; 3], usize); Land::COUNT] = [
    (Land::Plains, 9, [1, 1, 1], 1),
    (Land::Valley, 9, [2, 2, 2], 1),
    (Land::Forest, 3, [1, 3, 1], 2),
    (Land::Desert, 3, [3, 1, 1], 2),
    (Land::Ridge, 3, [1, 1, 3], 2),
];

impl Plot {
    pub fn land(self) -> Land {
        nth_of(&LANDS, |row| row.1, self.index()).0
    }

    /// §1.2: Luxury spots come only with a survey.
    pub(super) fn spots(self, resource: Resource) -> u32 {
        LANDS[self.land().index()].2.get(resource.index()).copied().unwrap_or(0)
    }
}

impl Land {
    pub(super) fn market_cards(self) -> usize {
        LANDS[self.index()].3
    }
}

fn add_plots(catalogue: &mut Catalogue) {
    for (land, count, spots, cards) in LANDS {
        let name: &str = land.into();
        for n in 1..=count {
            let row =
                catalogue.add(format!("{name}-{n}"), Place::PlotDeck, Back::Plot, Origin::Printed);
            row.copy_of(name).facet("land", name);
            for (resource, spots) in Resource::all().zip(spots) {
                row.facet(<&str>::from(resource), spots);
            }
            row.facet("end-market-cards", cards);
        }
    }
}

// === Surveys ===

/// §1.3: Luxury spots, and how many cards show that number; printed in the inventory.
const SURVEYS: [(u32, usize); 4] = [(0, 9), (1, 9), (2, 6), (3, 3)];

impl SurveyCard {
    pub(super) fn luxury_spots(self) -> u32 {
        nth_of(&SURVEYS, |row| row.1, self.index()).0
    }
}

fn add_surveys(catalogue: &mut Catalogue) {
    for (luxury, count) in SURVEYS {
        for n in 1..=count {
            let card = format!("{luxury}-yield-survey");
            let name = format!("{card}-{n}");
            let row = catalogue.add(name, Place::SurveyDeck, Back::Survey, Origin::Printed);
            row.copy_of(&card).facet("luxury", luxury);
        }
    }
}

// === Disasters ===

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum DisasterKind {
    Safe,
    UnexpectedSpoilage,
    MassiveSolarFlare,
    OutInTheAcidRain,
    Raid,
    SolarEclipse,
    SeasonalHell,
    Theft,
    CorrosiveCloud,
    Infestation,
    BatteryFailure,
    BatteryChargerFailure,
    EnergyJunctionFailure,
}

/// §1.4, §9.1, §9.2, §9.3: of each disaster the number of cards, which is printed.
const DISASTERS: [(DisasterKind, usize); 13] = [
    (DisasterKind::Safe, 6),
    (DisasterKind::UnexpectedSpoilage, 2),
    (DisasterKind::MassiveSolarFlare, 4),
    (DisasterKind::OutInTheAcidRain, 2),
    (DisasterKind::Raid, 4),
    (DisasterKind::SolarEclipse, 3),
    (DisasterKind::SeasonalHell, 3),
    (DisasterKind::Theft, 5),
    (DisasterKind::CorrosiveCloud, 1),
    (DisasterKind::Infestation, 1),
    (DisasterKind::BatteryFailure, 1),
    (DisasterKind::BatteryChargerFailure, 2),
    (DisasterKind::EnergyJunctionFailure, 2),
];

impl DisasterCard {
    pub fn kind(self) -> DisasterKind {
        nth_of(&DISASTERS, |row| row.1, self.index()).0
    }
}

fn add_disasters(catalogue: &mut Catalogue) {
    for (kind, count) in DISASTERS {
        for n in 1..=count {
            let card: &str = kind.into();
            let name = if count == 1 { card.to_string() } else { format!("{card}-{n}") };
            let row = catalogue.add(name, Place::DisasterDeck, Back::Disaster, Origin::Printed);
            row.copy_of(card);
        }
    }
}

// === Karma ===

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Kind {
    Destruction,
    Sabotage,
    Wealth,
    Protection,
}
use Kind::{Destruction, Protection, Sabotage, Wealth};

/// When a card may be played: a phase, or the part of the Production phase after the Last Call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Window {
    Player,
    Disaster,
    Production,
    LastCall,
    Market,
}

const ANY: &[Window] = &[Player, Disaster, Production, LastCall, Market];
const NOT_PRODUCTION: &[Window] = &[Player, Disaster, Market];
/// Playable only in answer to something.
const REACTION: &[Window] = &[];

struct KarmaRow {
    kind: Kind,
    windows: &'static [Window],
    target: &'static str,
}

const fn row(kind: Kind, windows: &'static [Window], target: &'static str) -> KarmaRow {
    KarmaRow { kind, windows, target }
}

/// §1.5, §12.3: kind, windows, target and effect of each karma card, in the order of [`Karma`]; the
/// effects in our own words. Titles, kinds and effects are printed, and so is a row's origin. The
/// icons that showed windows and targets are lost, so these are our own design, except windows that
/// the printed effect names: see [`Karma::window_origin`].
const KARMA: [KarmaRow; Karma::COUNT] = [
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, ANY, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Destruction, NOT_PRODUCTION, "all"),
    row(Destruction, NOT_PRODUCTION, "one"),
    row(Sabotage, NOT_PRODUCTION, "one"),
    row(Sabotage, &[Player, Market], "one"),
    row(Sabotage, &[LastCall], "one"),
    row(Sabotage, NOT_PRODUCTION, "one"),
    row(Sabotage, NOT_PRODUCTION, "many"),
    row(Sabotage, &[LastCall], "one"),
    row(Sabotage, &[Production, LastCall], "one"),
    row(Sabotage, &[Player], "one"),
    row(Sabotage, &[Player], "many"),
    row(Sabotage, &[Player], "one"),
    row(Sabotage, &[LastCall], "one"),
    row(Sabotage, &[Player], "one"),
    row(Wealth, ANY, "self"),
    row(Wealth, &[LastCall], "self"),
    row(Wealth, ANY, "self"),
    row(Wealth, &[Player], "self"),
    row(Wealth, &[Player], "self"),
    row(Wealth, &[Player], "self"),
    row(Wealth, &[Player, Market], "self"),
    row(Wealth, &[Player], "self"),
    row(Wealth, &[LastCall], "self"),
    row(Wealth, &[Market], "special"),
    row(Wealth, &[Market], "self"),
    row(Protection, REACTION, "karma-card"),
    row(Protection, ANY, "self"),
    row(Protection, ANY, "self"),
    row(Protection, REACTION, "karma-card"),
    row(Protection, ANY, "self"),
    row(Protection, REACTION, "karma-card"),
    row(Protection, ANY, "self"),
    row(Protection, REACTION, "karma-card"),
    row(Protection, REACTION, "karma-card"),
    row(Protection, REACTION, "karma-card"),
    row(Protection, ANY, "many"),
];

impl Karma {
    pub(super) fn kind(self) -> Kind {
        KARMA[self.index()].kind
    }

    pub(super) fn is_sabotage(self) -> bool {
        self.kind() == Sabotage
    }

    pub(super) fn windows(self) -> &'static [Window] {
        KARMA[self.index()].windows
    }

    /// §12.3, §12.10: the text of an answer, and of two other cards, says when it is played.
    fn window_origin(self) -> Origin {
        match self {
            Karma::YouSentItWhere | Karma::OtherMarkets => Origin::Printed,
            _ if self.windows() == REACTION => Origin::Printed,
            _ => Origin::Design,
        }
    }
}

fn add_karma(catalogue: &mut Catalogue) {
    for (card, row) in Karma::all().zip(&KARMA) {
        let windows: Vec<&str> = row.windows.iter().map(|&it| it.into()).collect();
        let windows = if windows.is_empty() { vec!["reaction"] } else { windows };
        let added = catalogue.add(card.spell(&[]), Place::KarmaDeck, Back::Karma, Origin::Printed);
        added
            .facet("kind", <&str>::from(row.kind))
            .facet_from(card.window_origin(), "played-in", windows)
            .facet_from(Origin::Design, "target", row.target);
    }
}

// === Market ===

/// §1.6: class, value and number of the market cards. The classes and how many cards each has are
/// printed; the values are our own design, in the structure of the pages of the print plan.
const MARKET_CARDS: [(&str, u32, usize); 12] = [
    ("low", 4, 3),
    ("low", 5, 3),
    ("low", 6, 3),
    ("normal", 8, 3),
    ("normal", 10, 3),
    ("normal", 12, 3),
    ("normal", 10, 5),
    ("high", 15, 3),
    ("high", 18, 3),
    ("high", 20, 3),
    ("spike", 25, 2),
    ("spike", 30, 2),
];

impl MarketCard {
    pub(super) fn value(self) -> u32 {
        nth_of(&MARKET_CARDS, |row| row.2, self.index()).1
    }
}

fn add_quotes(catalogue: &mut Catalogue) {
    let mut numbers = std::collections::BTreeMap::new();
    for (class, value, count) in MARKET_CARDS {
        for _ in 0..count {
            let n = numbers.entry((class, value)).or_insert(0);
            *n += 1;
            let name = format!("market-{class}-{value}-{n}");
            let row = catalogue.add(name, Place::EndMarketDeck, Back::Market, Origin::Design);
            row.copy_of(&format!("market-{class}")).facet("class", class).facet("value", value);
        }
    }
}
