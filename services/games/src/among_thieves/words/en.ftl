game = Among Thieves
    .description = Go on heists together, share what they pay or take it all, and mind your honor.
    .duration = 30 to 45 minutes
    .difficulty = easy
    .cover = corvid-5-event/12 paragon-7/18 lefleur-4-honor/15

# A corporation in short, before "deck".
corporation = { $value-key ->
    [corvid] Corvid
    [lefleur] LeFleur
   *[paragon] Paragon
}

# --- Places ---

place-reserve = Reserve
    .from = from the reserve
    .to = to the reserve
    .at = in the reserve
place-box = Box
    .from = from the box
    .to = into the box
    .at = in the box
place-deck = { corporation } deck
    .from = from the { corporation } deck
    .to = into the { corporation } deck
    .at = in the { corporation } deck
place-pot = On the { corporation } deck
    .from = from the { corporation } deck
    .to = on the { corporation } deck
    .at = on the { corporation } deck
place-event-deck = Event deck
    .from = from the event deck
    .to = into the event deck
    .at = in the event deck
place-events = Events
    .from = from the events
    .to = to the events
    .at = among the events
place-event-discard = Event discards
    .from = from the event discards
    .to = to the event discards
    .at = in the event discards
place-payout = Payout
    .from = from the payout
    .to = into the payout
    .at = in the payout
place-discard = Discards
    .from = from the discards
    .to = to the discards
    .at = in the discards
place-stash = Stash
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } stash
    .to = into { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } stash
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } stash
place-track = Honor track
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } honor track
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } honor track
    .at = on { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } honor track
place-pocket = Honor disc
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } honor disc
    .to = back to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } honor disc
    .at = on { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } honor disc
place-palm = Secret choice
    .from = from under { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
    .to = under { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
    .at = under { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
place-revealed = Choice
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } revealed choice
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } revealed choice
    .at = as { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } revealed choice
# What a screen hides.
uncounted = hidden

# Titles of events are in quotation marks, other cards are described.
named = { $back ->
    [event] “{ $title }”
   *[other] { $title }
}

# --- Coins, backs, marks ---

coin-million = ISK
    .help = Money, in millions. The richest player who is not eliminated wins.
    .amount = { $amount }M ISK
    .some = some ISK
coin-honor = Honor
    .help = How far along the honor track a player is, from 1 to 13. Too little of it, or with one of the Game End cards too much, eliminates in the end.
    .amount = { $amount } honor
    .some = some honor
coin-million-got = { $seat-is ->
    [you] get { $what }
   *[other] gets { $what }
}
    .many = { $people } get { $what } each
coin-million-paid = { $seat-is ->
    [you] pay { $what }
   *[other] pays { $what }
}
    .many = { $people } pay { $what } each
coin-honor-got = { $seat-is ->
    [you] gain { $what }
   *[other] gains { $what }
}
    .many = { $people } gain { $what } each
coin-honor-paid = { $seat-is ->
    [you] lose { $what }
   *[other] loses { $what }
}
    .many = { $people } lose { $what } each
back-disc = Honor disc
    .help = An honor disc under a hand: a choice is made, but nobody else sees which.
    .counted = { $count ->
        [one] a hidden disc
       *[other] { $count } hidden discs
    }
back-tier-one-card = { corporation } card, tier 1
    .help = The cards on top of a corporation’s deck, with the lowest values.
    .counted = { $count ->
        [one] a { corporation } card of tier 1
       *[other] { $count } { corporation } cards of tier 1
    }
back-tier-two-card = { corporation } card, tier 2
    .help = The cards in the middle of a corporation’s deck.
    .counted = { $count ->
        [one] a { corporation } card of tier 2
       *[other] { $count } { corporation } cards of tier 2
    }
back-tier-three-card = { corporation } card, tier 3
    .help = The cards at the bottom of a corporation’s deck, with the highest values. One of them is its Game End card.
    .counted = { $count ->
        [one] a { corporation } card of tier 3
       *[other] { $count } { corporation } cards of tier 3
    }
back-event = Event
    .counted = { $count ->
        [one] an event
       *[other] { $count } events
    }
mark-member = On the heist
    .help = The player is on the team of this heist.
mark-target = Blackmailed
    .help = The corporation that this heist blackmails.
mark-events-due = Events to come
    .help = Events that this heist has yet to draw.
mark-eliminated = Eliminated
    .help = The player was eliminated at the end and cannot win.
mark-turns-begun = Turn
    .help = The number of turns that have begun. Payments and offers name it.
mark-offers-made = Offers made
    .help = The offers that the player has made this turn.

# --- Turns and decisions ---

turn-began = { $seat-is ->
    [you] You are the Heistmaster
   *[other] { $seat } is the Heistmaster
}
turn-again = { $seat-is ->
    [you] You are the Heistmaster
   *[other] { $seat } is the Heistmaster
}
table-turn = { $seat-is ->
    [you] you are the Heistmaster
   *[other] { $seat } is the Heistmaster
}
summary-turn = { $seat-is ->
    [you] you are the Heistmaster
   *[other] { $seat } is the Heistmaster
}
decision-assemble = assemble the team
decision-deal = make deals
decision-blackmail = blackmail a corporation
decision-choose = choose between sharing and taking it all
decision-reconsider = choose again
decision-favor = name a player off the heist, who gets 4M ISK

# --- Actions ---

verb-pay = Pay
    .help = Pays another player some of your ISK at once and for good. Everyone sees whom you pay, but not how much.
    .label = Pay { $to-seat-them } { $millions }M ISK
verb-assemble = Assemble
    .help = Chooses half of the players, rounded up, for the heist. This ends the deals.
    .label = Assemble a team: { $seats }
    .short = { $seats }
verb-blackmail = Blackmail
    .help = Chooses the corporation of the heist. You take the ISK on its deck, and 2M ISK are added to each other deck.
    .label = Blackmail { $corporation }
verb-choose = Choose
    .help = Chooses in secret whether to share the payout or to take it. The choice stands.
    .label = { $choice-key ->
        [honorable] Be honorable
       *[dishonorable] Be dishonorable
    }
verb-favor = Favor
    .help = Names a player off the heist, who gets 4M ISK.
    .label = { $seat-seat-is ->
        [you] Name yourself for 4M ISK
       *[other] Name { $seat-seat-them } for 4M ISK
    }
    .does = { $seat-is ->
        [you] name the friend in need
       *[other] names the friend in need
    }
verb-offer = Offer
    .help = Offers another player some of your ISK, asks for theirs, or both. It replaces your open offer.
    .label = { $give ->
        [0] Ask { $to-seat-them } for { $take }M ISK
       *[other] { $take ->
            [0] Offer { $to-seat-to } { $give }M ISK for nothing
           *[other] Offer { $to-seat-to } { $give }M ISK for { $take }M ISK
        }
    }
    .short = { $to-seat-them }: { $give }M for { $take }M ISK
verb-withdraw = Withdraw
    .help = Takes back your open offer.
    .label = Withdraw your offer
    .does = { $seat-is ->
        [you] withdraw the offer
       *[other] withdraws the offer
    }
verb-accept = Accept
    .help = Accepts an offer on the terms you see: the ISK changes hands at once.
    .label = { $give ->
        [0] Accept { $by-seat-whose } offer and pay { $take }M ISK
       *[other] { $take ->
            [0] Accept { $by-seat-whose } offer and get { $give }M ISK
           *[other] Accept { $by-seat-whose } offer: { $give }M ISK for { $take }M ISK
        }
    }
    .short = Accept { $by-seat-whose } offer
    .does = { $seat-is ->
        [you] accept the offer
       *[other] accepts the offer
    }
verb-refuse = Decline
    .help = Declines an offer.
    .label = Decline { $by-seat-whose } offer
    .does = { $seat-is ->
        [you] decline
       *[other] declines
    }

# --- What happens ---

# A new offer replaces the open one, and the team ends all deals, without a word.
offer-closed = { $verb ->
    [offer] {""}
    [withdraw] {""}
    [accept] {""}
    [assemble] {""}
   *[other] { $seat-whose } offer is off the table
}
paid-taken-from = { $seat-is ->
    [you] get { $what } from { $giver-them }
   *[other] gets { $what } from { $giver-them }
}
announcement-assembles =
    .does = { $seat-is ->
        [you] assemble a team
       *[other] assembles a team
    }
announcement-joins =
    .does = { $seat-is ->
        [you] are in
       *[other] is in
    }
    .many = { $people } are in
announcement-blackmails =
    .does = { $seat-is ->
        [you] blackmail { $value }
       *[other] blackmails { $value }
    }
paid-million-reserve-pot = the reserve puts { $shares }
moved-pocket-palm = { $what-key ->
    [honorable] { $seat-is ->
        [you] choose to be honorable
       *[other] chooses to be honorable
    }
    [dishonorable] { $seat-is ->
        [you] choose to be dishonorable
       *[other] chooses to be dishonorable
    }
   *[hidden] { $seat-is ->
        [you] have chosen
       *[other] has chosen
    }
}
# Under an earlier release a choice could be changed.
moved-palm-pocket = {""}
moved-palm-revealed = { $what-key ->
    [honorable] { $seat-is ->
        [you] are honorable
       *[other] is honorable
    }
   *[dishonorable] { $seat-is ->
        [you] are dishonorable
       *[other] is dishonorable
    }
}
    .many = { $people } are { $what-key }
    .begins = the choices are revealed
moved-revealed-pocket = {""}
moved-deck-stash = { $seat-is ->
    [you] stash { $what }
   *[other] stashes { $what }
}
    .many = { $people } stash { $what } each
    .begins = {""}
moved-deck-payout = { $count ->
    [one] { $what } is revealed
   *[other] { $what } are revealed
}
    .begins = {""}
moved-box-deck = {""}
moved-box-event-deck = {""}
moved-event-deck-events = {""}
    .begins = { $what-key ->
        [fresh-dirt] “Fresh Dirt” adds 3M ISK to the payout
        [damage-control] “Damage Control” takes 2M ISK from the payout
        [mother-lode] “Mother Lode” doubles the payout
        [skeletons-in-the-closet] “Skeletons in the Closet” adds 5M ISK to the payout
        [loose-lips] “Loose Lips” reveals one more card
       *[other] { $count ->
            [one] the event is { $what }
           *[other] the events are { $what }
        }
    }
moved-event-discard-event-deck = the event discards make a new event deck
moved-payout-discard = {""}
moved-events-event-discard = {""}
announcement-payout-is = {""}
    .title = Payout
    .begins = { $amount ->
        [0] there is no payout
       *[other] the payout is { $amount }M ISK
    }
announcement-stash-holds = { $seat-is ->
    [you] you have
   *[other] { $seat } has
} { $amount ->
    [0] no card
    [one] 1 card
   *[other] { $amount } cards
} in the stash
announcement-game-end = {""}
    .title = Game End
    .begins = { $value-key ->
        [lefleur] the LeFleur Game End card ends the game and eliminates the most honorable
        [paragon] the Paragon Game End card ends the game and eliminates the least honorable, of five or more players the second least too
       *[corvid] the Corvid Game End card ends the game and eliminates the least honorable
    }
announcement-deck-empty = {""}
    .title = Deck empty
    .begins = the { corporation } deck is empty, which ends the game and eliminates the least honorable
# The scores say it.
announcement-isk-held = {""}
    .title = stash
announcement-is-eliminated =
    .title = eliminated
    .begins = {""}
    .does = { $seat-is ->
        [you] are eliminated
       *[other] is eliminated
    }
    .many = { $people } are eliminated

# --- Pieces ---

facet-corporation = Corporation
facet-tier = Tier
facet-players = Players
facet-value = Value
facet-icon = Icon
value-corvid = Corvid Economics
value-lefleur = LeFleur Digital Media
value-paragon = Paragon Gyromatics
value-honor = honor
value-event = event
value-honorable = honorable
value-dishonorable = dishonorable
piece-honorable = the honorable side
    .text = You share the payout of the heist. If anyone on it is dishonorable, you get nothing but 1 honor.
piece-dishonorable = the dishonorable side
    .text = You stash a card, get double the payout, and lose 1 honor. If the whole team is dishonorable, there is no payout.
piece-corvid = Corvid { $value }M ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Adds { $value }M ISK to a payout. In your stash, it gives you 1 honor at the end.
        [event] Adds { $value }M ISK and an event to a payout.
       *[none] Adds { $value }M ISK to a payout.
    }
piece-lefleur = LeFleur { $value }M ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Adds { $value }M ISK to a payout. In your stash, it gives you 1 honor at the end.
        [event] Adds { $value }M ISK and an event to a payout.
       *[none] Adds { $value }M ISK to a payout.
    }
piece-paragon = Paragon { $value }M ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Adds { $value }M ISK to a payout. In your stash, it gives you 1 honor at the end.
        [event] Adds { $value }M ISK and an event to a payout.
       *[none] Adds { $value }M ISK to a payout.
    }
piece-corvid-game-end = the Corvid Game End card
    .text = Revealed for a payout, it ends the game after the turn: the players with the least honor are eliminated. In a stash it does nothing.
piece-lefleur-game-end = the LeFleur Game End card
    .text = Revealed for a payout, it ends the game after the turn: the players with the most honor are eliminated. In a stash it does nothing.
piece-paragon-game-end = the Paragon Game End card
    .text = Revealed for a payout, it ends the game after the turn: the players with the least honor are eliminated; with five or more players, those with the second least too. In a stash it does nothing.
piece-fresh-dirt = Fresh Dirt
    .text = The payout grows by 3M ISK.
piece-damage-control = Damage Control
    .text = The payout shrinks by 2M ISK, to 0 at the least.
piece-mother-lode = Mother Lode
    .text = After all other events, the payout is doubled.
piece-loose-lips = Loose Lips
    .text = One more card of the deck is revealed for the payout. Its event icon is ignored.
piece-word-on-the-street = Word on the Street
    .text = If you are on the heist and honorable, you gain 1 honor.
piece-rat-in-the-ranks = Rat in the Ranks
    .text = If you are on the heist and dishonorable, you lose 1 honor.
piece-second-chance = Second Chance
    .text = If nobody has less honor than you, you gain 1 honor.
piece-feet-of-clay = Feet of Clay
    .text = If nobody has more honor than you, you lose 1 honor.
piece-finders-fee = Finder’s Fee
    .text = If you are the Heistmaster, you get 3M ISK.
piece-hush-money = Hush Money
    .text = If you are not on the heist, you get 2M ISK.
piece-unforeseen-costs = Unforeseen Costs
    .text = If you are on the heist and have any ISK, you pay 1M ISK.
piece-loose-change = Loose Change
    .text = 2M ISK are added to the deck of each corporation.
piece-pass-it-on = Pass It On
    .text = If you have any ISK, you pay 1M ISK to the player on your left.
piece-friend-in-need = Friend in Need
    .text = If you are the Heistmaster, name a player who is not on the heist. That player gets 4M ISK.
piece-fresh-start = Fresh Start
    .text = If you have 5 honor or less, you gain 1 honor.
piece-open-books = Open Books
    .text = You announce how many cards are in your stash.
piece-skeletons-in-the-closet = Skeletons in the Closet
    .text = The payout grows by 5M ISK.

# --- Options ---

option-first-seat = First Heistmaster
    .description = The player who is the Heistmaster first. At a table, the player who was honorable last is.
    .is-random = Chance decides

# --- Refusals ---

refusal-not-now = now you can only { $asked }
refusal-no-such-seat = there is no such seat in a match of { $seats } seats
refusal-yourself = nobody makes deals with themselves
refusal-has-resigned = { $seat-seat } has resigned and makes no deals
refusal-nothing-paid = a payment is at least 1M ISK
refusal-not-in-stash = you have { $held }M ISK, not { $millions }M ISK
refusal-team-size = { $size } players go on the heist, not { $chosen }
refusal-on-heist = { $seat-seat-is ->
    [you] you are on the heist; name a player who is not
   *[other] { $seat-seat } is on the heist; name a player who is not
}
refusal-another-turn = this was meant for turn { $meant }, and it is turn { $now }
refusal-empty-offer = an offer gives or asks for 1M ISK at least
refusal-too-many-offers = { $most } offers in a turn are enough
refusal-no-such-offer = there is no such offer any more
refusal-other-terms = the offer has changed: now it is { $give ->
    [0] nothing
   *[other] { $give }M ISK
} for { $take ->
    [0] nothing
   *[other] { $take }M ISK
}

# --- How to play ---

primer-1 = The goal
    .pieces = honorable/0 dishonorable/0 corvid-3/9 lefleur-game-end
    .rules = 1 9
    .text =
        Have the most ISK when the game ends, and do not be eliminated for your honor. Only those who are still in can win, and at the
        end it is usually too little honor that puts you out. You start with 7 honor; it never falls below 1 or rises above 13.
primer-2 = The team
    .decisions = assemble deal
    .rules = 3
    .text =
        One player leads the heist. The Heistmaster picks half of the players for the team, rounded up, and need not be on it.

        Until the team stands, anybody may pay another player, or offer and ask for ISK. You may talk at any time, unless the match was
        set up without talk. Payments are final, and promises bind nobody. All see who pays whom, but only the two see how much.
primer-3 = The corporation
    .decisions = blackmail
    .pieces = corvid-2/3 lefleur-4/11 paragon-7/18
    .rules = 4
    .text =
        Then the Heistmaster blackmails one of the three corporations and takes all ISK that lies on its deck. The two other decks get
        2M ISK each. The deeper in a deck, the more its cards are usually worth.
primer-4 = The choice
    .decisions = choose reconsider
    .pieces = honorable/1 dishonorable/1
    .rules = 5
    .text =
        Each member of the team chooses in secret: honorable, to share, or dishonorable, to cheat. A choice stands once it is made. When
        all have chosen, all are revealed.
primer-5 = The payout
    .decisions = favor
    .pieces = corvid-2-event/4 lefleur-3/9 fresh-dirt/1 mother-lode/1
    .rules = 6 7 8
    .text =
        First each dishonorable member draws the top card of the deck, unseen by the others, and keeps it. Then one card is revealed for
        each honorable member: the sum of their values is the payout. Each revealed card with an event icon also draws an event, which
        changes the payout or something else.

        - If all are honorable, each of them gains the whole payout.
        - If anybody is dishonorable, each dishonorable member gains double the payout and loses 1 honor. The honorable ones gain no ISK
          but 1 honor each.
        - If all are dishonorable, no card is revealed: there is nothing to gain, and each loses 1 honor.

        Then the next player leads a heist.
primer-6 = The end
    .pieces = corvid-game-end lefleur-game-end paragon-game-end
    .rules = 9
    .text =
        Among the last cards of each deck is its Game End card. When it is revealed for a payout, the game ends after that turn, and the
        card says who is out. Drawn in secret, it does nothing.

        - Corvid’s: those with the lowest honor.
        - LeFleur’s: those with the highest honor.
        - Paragon’s: those with the two lowest values of honor; with three or four players only the lowest.

        The game also ends after a turn in which a deck runs out; then those with the lowest honor are out, unless a Game End card
        decides. Before anybody is out, all cards that were drawn in secret are turned up, and each honor icon on them gives its owner 1
        honor. Of the others the richest wins; if two are equally rich, the one with more honor.
