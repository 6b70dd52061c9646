//! The components of the table, by number, under the names of Grifters.

use table::{Seat, components, small, vocabulary};

components! {
    /// A card with a text to resolve: a person or a job.
    pub Card: 0..80,
    /// §1.1 Four sets of ringleaders, then three copies of each specialist.
    pub Person: 0..60,
    /// §1.3 Five stacks of four.
    pub Job: 60..80
}
small! {
    /// §1.2
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Skill { Brain, Speed, Brawn }
}
small! {
    /// The colour of a job's stack.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Colour { Blue, Green, Red, Yellow, Purple }
}
small! {
    /// §1.5
    pub enum Place {
        Box, Coffers, Deck, Discard, Jobs(Colour),
        Stash(Seat), Hand(Seat),
        /// Drawn cards, one of which will be kept.
        DrawnCards(Seat),
        FirstNight(Seat), SecondNight(Seat), ThirdNight(Seat), RefreshArea(Seat),
        CompletedJobs(Seat),
    }
}
small! {
    /// §1.4
    pub enum Coin { IskToken }
}
small! {
    pub enum Mark {
        DeckEnd,
        SecondJob,
        /// The card whose text is being resolved, and the number of its part.
        Acting, Clause,
    }
}
small! {
    pub enum Decision { Turn, SecondCaper, Rob, NameSkill, SwapJobs, Choose(Choice) }
}
small! {
    /// The purpose for which a card is chosen.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Choice { Keep, TeamUp, Duplicate, TakeBack, Abduct, Exchange }
}
small! {
    pub enum Announcement {
        Caper, Job, NothingComesOfIt, TimeAdvances, Targets(Skill), NewDeck, CannotPlay,
        CoffersEmpty, JobsCompleted, DeckOut, Bonus(Colour), TieOnJobs, TieOnPeople, StashHolds,
    }
}
small! {
    pub enum Back { Specialist, Job }
}
small! {
    /// When an exhausted deck ends the game.
    pub enum DeckEnd {
        /// §9.4
        BothPilesEmpty,
        /// §9.5
        NothingToDraw,
        /// §9.6
        DeckEmpty,
    }
}
vocabulary!(Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId);
