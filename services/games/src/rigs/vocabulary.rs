//! The components of the table, by name and number.

use table::{Component, Piece, Seat, Upto, components, small, vocabulary};

components! {
    pub Plot: 0..27,
    /// A survey, which may give its plot Luxury spots.
    pub SurveyCard: 27..54,
    /// The six Safe cards are among them.
    pub DisasterCard: 54..90,
    /// Used as prices during the match, and to value plots at its end.
    pub MarketCard: 135..171,
}

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

small! {
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Resource { Energy, Supply, Metal, Luxury }
}
small! {
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Land { Plains, Valley, Forest, Desert, Ridge }
}

/// Positions on the stage: a Sabotage at 0, and above it up to three cards that redirect it.
pub type Depth = Upto<4>;

small! {
    pub enum Place {
        /// The unlimited supply of credits and resources; the source of RIGS and scripts in set-up.
        Bank,
        /// The RIGS that have not been built.
        Works,
        /// Scripts that are not lent out.
        Vinnie,
        Warehouse(Seat), Purse(Seat), Debts(Seat),
        /// RIGS just lost, until their destination is decided.
        Wreck(Seat),
        PlotDeck, Grant(Seat), Owned(Seat), Spots(Plot, Resource), On(Plot),
        SurveyDeck,
        DisasterDeck, Front(Seat), DisasterDiscard,
        KarmaDeck, Hand(Seat), InPlay(Seat), Awaited(Seat), Stage(Depth), KarmaDiscard,
        /// RIGS on the Recycling card.
        Recycled,
        /// RIGS on the Parts Shop card.
        Parts,
        MarketDeck, Price, MarketDiscard, EndMarketDeck, Value(Land),
        /// The credits of the second seat as the first one saw them, and the source of such notes.
        Notes(Seat, Seat), Notepad,
    }
}
small! {
    pub enum Coin { Unit(Resource), Credit, Rig, Script(Resource), Counted }
}
small! {
    pub enum Mark {
        Leader, LandMoved, Ready(Seat), Dealt(Seat), Borrowed(Seat), Tinkered, Due(Seat),
        Powered(Plot), LastCalled, SentTo, Lost(Seat, Resource), LostKarma(Seat), Worth(Resource),
        By(Depth), Victim(Depth), Aimed(Depth), AimedToo(Depth), Sort(Depth), LostBoth(Seat),
        Guarded(Seat), Offers(Seat), Unreadied(Seat), Shows(Seat),
        Unrolled(Resource), Touched(Seat),
    }
}
small! {
    /// §20.9: a decision, named by its cause.
    pub enum Decision {
        Grant, GrantTo, Turn, Interrupt, Discard,
        Deal, Exchange, LoseRigs,
        Produce, CallLast, Final, Readjust,
        Draw, Sell,
        React, GiveDecoy, TakeCard, DiscardTheirs, Throw, Match, Gain, Salvage, Send, NewOwner,
        Share, Robbed, Raise, TradeIn, Retrieve,
    }
}
small! {
    pub enum Announcement {
        Begins(Phase), Leads, IsReady, IsNotReady, LastCall, Unaffected, Averted, TakenOver, Returned,
        Wasted, Price, LandValue(Land), UnitValue(Resource), PlotsWorth, StockWorth, Owes,
        OnSeat, OnPlot(Plot), OnResource(Resource), Powers, PriceForSeat,
        ShowsCredits, CreditsHeld,
    }
}
small! {
    pub enum Phase { Player, Disaster, Production, Market }
}
small! {
    pub enum Back { Plot, Survey, Disaster, Karma, Market }
}
vocabulary!(Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId);
