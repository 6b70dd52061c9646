//! The catalogue (§1): 27 plots, 27 surveys, 36 disasters, 45 karma cards, 36 market cards.

use table::{Catalogue, Component, Origin, Piece, Small, small};

use super::{Back, DisasterCard, MarketCard, Place, Plot, SurveyCard};
use Window::{Disaster, LastCall, Market, Player, Production};

small! {
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Resource { Energy, Supply, Metal, Luxury }
}

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

small! {
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Land { Plains, Valley, Forest, Desert, Ridge }
}

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
            row.facet("land", name);
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
            let name = format!("{luxury}-yield-survey-{n}");
            let row = catalogue.add(name, Place::SurveyDeck, Back::Survey, Origin::Printed);
            row.facet("luxury", luxury);
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

/// §1.4, §9.1, §9.2, §9.3: of each disaster the number of cards, and its effect in our own words.
/// All of it is printed.
const DISASTERS: [(DisasterKind, usize, &str); 13] = [
    (DisasterKind::Safe, 6, "Nothing happens; exchange a karma card if you wish."),
    (
        DisasterKind::UnexpectedSpoilage,
        2,
        "Lose half of your Supply, rounded up; without any, lose a RIGS. Draw a karma card.",
    ),
    (
        DisasterKind::MassiveSolarFlare,
        4,
        "Lose all your Energy; without any, lose a RIGS. Draw a karma card.",
    ),
    (
        DisasterKind::OutInTheAcidRain,
        2,
        "Lose half of your Metal, rounded up; without any, lose a RIGS. Draw a karma card.",
    ),
    (DisasterKind::Raid, 4, "Lose all your Luxury; if you had any, draw a karma card."),
    (
        DisasterKind::SolarEclipse,
        3,
        "Your Desert plots make no Energy this round; without such a plot, lose a RIGS. Draw a karma card.",
    ),
    (
        DisasterKind::SeasonalHell,
        3,
        "One RIGS works on each of your Valley plots this round; without such a plot, lose a RIGS. Draw a karma card.",
    ),
    (
        DisasterKind::Theft,
        5,
        "Lose half of your Luxury, rounded up; if you had any, draw a karma card.",
    ),
    (
        DisasterKind::CorrosiveCloud,
        1,
        "Lose all your Metal; without any, lose a RIGS. Draw a karma card.",
    ),
    (
        DisasterKind::Infestation,
        1,
        "Your plots make no Supply this round; without RIGS on Supply, lose a RIGS. Draw a karma card.",
    ),
    (DisasterKind::BatteryFailure, 1, "Lose all your Energy; if you had any, draw a karma card."),
    (
        DisasterKind::BatteryChargerFailure,
        2,
        "Energy made this round is not stored; with RIGS on Energy, draw a karma card.",
    ),
    (
        DisasterKind::EnergyJunctionFailure,
        2,
        "Energy made this round powers no plots; with RIGS on Energy, draw a karma card.",
    ),
];

impl DisasterCard {
    pub fn kind(self) -> DisasterKind {
        nth_of(&DISASTERS, |row| row.1, self.index()).0
    }
}

fn add_disasters(catalogue: &mut Catalogue) {
    for (kind, count, text) in DISASTERS {
        for n in 1..=count {
            let name: &str = kind.into();
            let name = if count == 1 { name.to_string() } else { format!("{name}-{n}") };
            let row = catalogue.add(name, Place::DisasterDeck, Back::Disaster, Origin::Printed);
            row.facet("disaster", <&str>::from(kind)).facet("text", text);
        }
    }
}

// === Karma ===

small! {
    /// §1.5: there is one card of each kind, so a card is its kind.
    pub enum Karma {
        MissingSupport, BadOsRevision, WrongManual, EyeForAnEye, NotThatOne, IAintGoingAlone,
        AccidentalDumping, LeftTheLightOn, DaRoofIsOnFire, RoughStorm, Blowout,
        GiveMeThat, IdentityTheft, IncorrectDrivers, IllTakeThat, IWantThat, YouSentItWhere,
        Brownout, SurveyError, SurveyTypo, RecordNotFound, CarrierLost, TriangulationDrift,
        Recycling, RidiculousEfficiency, PartsShop, SwapMeet, PokerNight, BelowTheSurface,
        WinningRaffleTicket, Ruins, RigsTdm, OtherMarkets, NaiveProfits,
        WrongAddress, RigsAlarmSystem, PushPullOrDrag, CallingInAFavor, IveGotADonk,
        RightBackAtYou, WarehouseInsurance, Decoy, DoubleAgent, AintWorkingForYou,
        ALittleInformation,
    }
}

impl Component for Karma {
    const FIRST: usize = 90;
}

impl From<Karma> for Piece {
    fn from(card: Karma) -> Piece {
        card.piece()
    }
}

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
/// Played only in answer to something.
const REACTION: &[Window] = &[];

struct KarmaRow {
    kind: Kind,
    windows: &'static [Window],
    target: &'static str,
    text: &'static str,
}

const fn row(
    kind: Kind,
    windows: &'static [Window],
    target: &'static str,
    text: &'static str,
) -> KarmaRow {
    KarmaRow { kind, windows, target, text }
}

/// §1.5, §12.3: kind, windows, target and effect of each karma card, in the order of [`Karma`]; the
/// effects in our own words. Titles, kinds and effects are printed, and so is a row's origin. The
/// icons that showed windows and targets are lost, so these are our own design, except windows that
/// the printed effect names: see [`Karma::window_origin`].
const KARMA: [KarmaRow; Karma::COUNT] = [
    row(Destruction, NOT_PRODUCTION, "one", "The victim loses a RIGS that you choose."),
    row(
        Destruction,
        NOT_PRODUCTION,
        "one",
        "The victim loses half of its RIGS, rounded up, and draws two karma cards.",
    ),
    row(Destruction, NOT_PRODUCTION, "one", "The victim loses a RIGS that it chooses."),
    row(
        Destruction,
        NOT_PRODUCTION,
        "one",
        "A random card of the victim's karma hand is discarded.",
    ),
    row(
        Destruction,
        NOT_PRODUCTION,
        "one",
        "Look through the victim's karma hand and discard one of its cards.",
    ),
    row(
        Destruction,
        ANY,
        "one",
        "The victim loses the same resources, or as many karma cards, as you last lost, as far as it has them. Instead you may discard some now, to be matched.",
    ),
    row(Destruction, NOT_PRODUCTION, "one", "The victim loses all Luxury in its warehouse."),
    row(
        Destruction,
        NOT_PRODUCTION,
        "one",
        "The victim loses half of the Energy in its warehouse, rounded up.",
    ),
    row(
        Destruction,
        NOT_PRODUCTION,
        "one",
        "The victim loses every resource in its warehouse, and draws a karma card for each ten of them or part of ten.",
    ),
    row(
        Destruction,
        NOT_PRODUCTION,
        "all",
        "Everyone rolls: on a 6 nothing happens; otherwise lose as many resources as you rolled, or all if you have fewer, and draw a karma card if you lost any.",
    ),
    row(
        Destruction,
        NOT_PRODUCTION,
        "one",
        "The victim loses all RIGS on a plot that you choose, and draws a karma card.",
    ),
    row(
        Sabotage,
        NOT_PRODUCTION,
        "one",
        "Take a random card of the victim's karma hand into yours.",
    ),
    row(
        Sabotage,
        &[Player, Market],
        "one",
        "Swap your credits with the victim's, who then draws three karma cards or gets this one as the next round begins.",
    ),
    row(
        Sabotage,
        &[LastCall],
        "one",
        "The RIGS on a plot that you choose make nothing this round.",
    ),
    row(
        Sabotage,
        NOT_PRODUCTION,
        "one",
        "Look through the victim's karma hand and take one of its cards into yours.",
    ),
    row(
        Sabotage,
        NOT_PRODUCTION,
        "many",
        "Choose a resource: every other player who has some rolls, and gives you that many, or all if it has fewer.",
    ),
    row(Sabotage, &[LastCall], "one", "What a plot that you choose makes this round goes to you."),
    row(
        Sabotage,
        &[Production, LastCall],
        "one",
        "The victim pays twice the Energy to power plots this round.",
    ),
    row(
        Sabotage,
        &[Player],
        "one",
        "The survey of a plot that you choose goes back into the deck; RIGS that lose their spots go to the warehouse.",
    ),
    row(
        Sabotage,
        &[Player],
        "many",
        "The surveys of two plots that you choose change places; RIGS that lose their spots go to the warehouse.",
    ),
    row(
        Sabotage,
        &[Player],
        "one",
        "The Expedition Leader gives a plot that you choose, with everything on it, to another player. The victim draws a karma card.",
    ),
    row(
        Sabotage,
        &[LastCall],
        "one",
        "None of the victim's RIGS work this round. It draws a karma card.",
    ),
    row(
        Sabotage,
        &[Player],
        "one",
        "Send each RIGS on a plot that you choose to any other plot or warehouse. The victim draws a karma card.",
    ),
    row(
        Wealth,
        ANY,
        "self",
        "Stays in play: RIGS that you lose go on it. Discard it in the Player phase for a Metal for each RIGS on it.",
    ),
    row(Wealth, &[LastCall], "self", "All your RIGS make double this round."),
    row(
        Wealth,
        ANY,
        "self",
        "Stays in play: RIGS that you lose go on it. Roll once in each Player phase: if at least that many RIGS are on it, one of them goes to your warehouse; on a 1 the card and its RIGS are lost.",
    ),
    row(Wealth, &[Player], "self", "Exchange up to six resources for as many of any kinds."),
    row(
        Wealth,
        &[Player],
        "self",
        "Roll for as many of your resources as you wish: on a 1 it is lost, on a 4 or 5 it is doubled, on a 6 tripled.",
    ),
    row(Wealth, &[Player], "self", "Get a resource for each spot of one kind on a plot of yours."),
    row(Wealth, &[Player, Market], "self", "Roll, and get that many Luxury."),
    row(Wealth, &[Player], "self", "Roll, and get that many resources of your choice."),
    row(Wealth, &[LastCall], "self", "The RIGS on one of your plots make triple this round."),
    row(
        Wealth,
        &[Market],
        "special",
        "After the Market card is drawn: a Luxury is worth as much as the highest Market card drawn this match.",
    ),
    row(
        Wealth,
        &[Market],
        "self",
        "After the Market card is drawn: each Luxury that you sell is worth more by the value of the lowest Market card drawn this match.",
    ),
    row(
        Protection,
        REACTION,
        "karma-card",
        "When a Sabotage affects you, redirect it to a player or plot that it does not affect, or be unaffected.",
    ),
    row(
        Protection,
        ANY,
        "self",
        "Stays in play: when a Sabotage affects you, roll: on an even number you are unaffected, on a 1 this is discarded.",
    ),
    row(
        Protection,
        ANY,
        "self",
        "Stays in play: when a RIGS of yours is destroyed, this is discarded and a new RIGS comes to your warehouse.",
    ),
    row(Protection, REACTION, "karma-card", "A Sabotage is discarded without effect."),
    row(
        Protection,
        ANY,
        "self",
        "Stays in play: when a Sabotage affects you, roll: on a 2 to 5 you are unaffected, on a 1 or 6 this is discarded.",
    ),
    row(
        Protection,
        REACTION,
        "karma-card",
        "A Sabotage affects its owner instead, and its victims get what it brings, as you share it out.",
    ),
    row(
        Protection,
        ANY,
        "self",
        "Get back the resources that you last lost to a Disaster, Destruction or Sabotage.",
    ),
    row(
        Protection,
        REACTION,
        "karma-card",
        "When another player would take a card from your karma hand, it takes this one instead.",
    ),
    row(
        Protection,
        REACTION,
        "karma-card",
        "A Sabotage becomes yours: use it at once as you wish, or discard it.",
    ),
    row(
        Protection,
        REACTION,
        "karma-card",
        "A Sabotage goes back to its owner's hand, who plays no more Sabotage this round.",
    ),
    row(Protection, ANY, "many", "Look at the karma hands and the credits of all other players."),
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
        let windows = if windows.is_empty() { "reaction".into() } else { windows.join(" ") };
        let added = catalogue.add(card.spell(&[]), Place::KarmaDeck, Back::Karma, Origin::Printed);
        added
            .facet("kind", <&str>::from(row.kind))
            .facet("played-in", windows)
            .facet("target", row.target)
            .facet("text", row.text)
            .facet("text-origin", Origin::Printed.name())
            .facet("played-in-origin", card.window_origin().name())
            .facet("target-origin", Origin::Design.name());
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
            row.facet("class", class).facet("value", value);
        }
    }
}
