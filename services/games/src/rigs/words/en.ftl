game = R.I.G.S.
    .description = Settle a colony plot by plot, work it with machines, strike deals, survive disasters and your neighbours’ karma, and be worth most after fifteen rounds.
    .duration = about 90 minutes
    .difficulty = demanding
    .cover = forest-1 double-agent valley-1

# Titles of cards are in quotation marks, plots are not.
named = { $title ->
    [Safe] Safe
   *[other] { $back ->
        [plot] { $title }
        [survey] { $title }
        [market] { $title }
       *[other] “{ $title }”
    }
}

# --- Places ---

place-bank = Bank
    .from = from the bank
    .to = to the bank
    .at = in the bank
place-works = RIGS works
    .from = from the works
    .to = to the works
    .at = in the works
place-vinnie = Vinnie
    .from = from Vinnie
    .to = to Vinnie
    .at = with Vinnie
place-warehouse = Warehouse
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } warehouse
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } warehouse
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } warehouse
place-purse = Purse
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } purse
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } purse
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } purse
place-debts = Debts to Vinnie
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } debts
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } debts
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } debts
place-wreck = Wrecked RIGS
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } wrecks
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } wrecks
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } wrecks
place-plot-deck = Plot deck
    .from = from the plot deck
    .to = into the plot deck
    .at = in the plot deck
place-grant = Land grant
    .from = from the land grant
    .to = to the land grant
    .at = in the land grant
place-owned = Plots
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } plots
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } plots
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } plots
place-spots = { $value } spots
    .from = from the { $value } spots of { $piece }
    .to = to the { $value } spots of { $piece }
    .at = on the { $value } spots of { $piece }
place-on = Survey
    .from = from { $piece }
    .to = { $piece }
    .at = on { $piece }
place-survey-deck = Survey deck
    .from = from the survey deck
    .to = into the survey deck
    .at = in the survey deck
place-disaster-deck = Disaster deck
    .from = from the disaster deck
    .to = into the disaster deck
    .at = in the disaster deck
place-front = This round
    .from = from in front of { $owner-is ->
        [self] the seat
       *[other] { $owner-them }
    }
    .to = in front of { $owner-is ->
        [self] the seat
       *[other] { $owner-them }
    }
    .at = in front of { $owner-is ->
        [self] the seat
       *[other] { $owner-them }
    }
place-disaster-discard = Past disasters
    .from = from the disaster discards
    .to = to the disaster discards
    .at = among the disaster discards
place-karma-deck = Karma deck
    .from = from the karma deck
    .to = into the karma deck
    .at = in the karma deck
place-hand = Karma hand
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
place-in-play = Karma in play
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } cards in play
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } cards in play
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } cards in play
place-awaited = Next round’s karma
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } awaited cards
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } awaited cards
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } awaited cards
place-stage = { $number ->
    [1] Karma card being played
   *[other] Answer { $number }
}
    .from = from the stage
    .to = on the stage
    .at = on the stage
place-karma-discard = Karma discards
    .from = from the karma discards
    .to = to the karma discards
    .at = among the karma discards
place-recycled = On Recycling
    .from = from Recycling
    .to = on Recycling
    .at = on Recycling
place-parts = On the Parts Shop
    .from = from the Parts Shop
    .to = on the Parts Shop
    .at = on the Parts Shop
place-market-deck = Market deck
    .from = from the market deck
    .to = into the market deck
    .at = in the market deck
place-price = Price of a Luxury
    .from = from the price
    .to = on the price
    .at = on the price
place-market-discard = Past prices
    .from = from the past prices
    .to = to the past prices
    .at = among the past prices
place-end-market-deck = End market deck
    .from = from the end market deck
    .to = into the end market deck
    .at = in the end market deck
place-value = Value of { $value } plots
    .from = from the value of { $value } plots
    .to = on the value of { $value } plots
    .at = on the value of { $value } plots
place-notes = Noted credits
    .from = of { $other-whose } credits
    .to = { $other-whose } credits
    .at = { $other-whose } credits
    .with-other = Noted of { $other-them }
place-notepad = Notepad
    .from = from the notepad
    .to = to the notepad
    .at = on the notepad

# --- Coins and backs ---

coin-unit = { $value }
    .help = { $value-key ->
        [energy] Powers plots: one for each plot in a round.
        [supply] Pays for moving RIGS and for surveys.
        [metal] Two units build a RIGS.
       *[luxury] Is sold on the market, and nowhere else.
    }
    .amount = { $amount } { $value }
    .some = some { $value }
coin-credit = Credits
    .help = Money. Whoever is worth most in credits at the end wins.
    .amount = { $amount ->
        [one] { $amount } credit
       *[other] { $amount } credits
    }
    .some = some credits
coin-rig = RIGS
    .help = A machine: on a spot of a running plot it makes one unit each round.
    .amount = { $amount } RIGS
    .some = some RIGS
coin-script = { $value } script
    .help = A debt to Vinnie: paid back with two units of { $value }, or with four at the end.
    .amount = { $amount ->
        [one] { $amount } { $value } script
       *[other] { $amount } { $value } scripts
    }
    .some = some { $value } scripts
coin-counted = Noted credits
    .help = The credits of another seat, as they were when they were seen.
    .amount = { $amount ->
        [one] { $amount } credit
       *[other] { $amount } credits
    }
    .some = some credits
back-plot = Plot
    .counted = { $count ->
        [one] a plot
       *[other] { $count } plots
    }
back-survey = Survey
    .counted = { $count ->
        [one] a survey
       *[other] { $count } surveys
    }
back-disaster = Disaster
    .counted = { $count ->
        [one] a disaster
       *[other] { $count } disasters
    }
back-karma = Karma
    .counted = { $count ->
        [one] a karma card
       *[other] { $count } karma cards
    }
back-market = Market
    .counted = { $count ->
        [one] a market card
       *[other] { $count } market cards
    }

# --- What moves ---

# The leader picks a plot of the grant.
moved-revealed = { $seat-is ->
    [you] take { $what } from the land grant
   *[other] takes { $what } from the land grant
}
moved-taken = { $verb ->
    [accept] { $seat-is ->
        [you] get { $what } from { $giver-them }
       *[other] gets { $what } from { $giver-them }
    }
   *[other] { $seat-is ->
        [you] take { $what } { $from }
       *[other] takes { $what } { $from }
    }
}
moved-given = { $verb ->
    [pass] { $seat-is ->
        [you] lose { $what } to { $taker-to }
       *[other] loses { $what } to { $taker-to }
    }
   *[other] { $acting ->
        [yes] { $seat-is ->
            [you] give { $what } to { $taker-to }
           *[other] gives { $what } to { $taker-to }
        }
       *[no] { $seat-is ->
            [you] lose { $what } to { $taker-to }
           *[other] loses { $what } to { $taker-to }
        }
    }
}
moved-plot-deck-grant = { $seat-is ->
    [you] draw { $what } for the land grant
   *[other] draws { $what } for the land grant
}
# To a plot is but its title.
moved-survey-deck-on = { $to } is surveyed: { $what }
    .does = { $seat-is ->
        [you] survey { $to }: { $what }
       *[other] surveys { $to }: { $what }
    }
moved-on-on = the survey of { $to } now shows { $what }
moved-on-survey-deck = the survey { $at } goes back into the survey deck
moved-disaster-deck-front = { $what ->
    [Safe] { $seat-is ->
        [you] stay safe
       *[other] stays safe
    }
   *[other] { $seat-is ->
        [you] are dealt { $what }
       *[other] is dealt { $what }
    }
}
moved-front-disaster-discard = {""}
moved-disaster-discard-disaster-deck = the past disasters are shuffled into a new deck
moved-karma-deck-hand = { $seat-is ->
    [you] draw { $what }
   *[other] draws { $what }
}
moved-karma-discard-karma-deck = the karma discards are shuffled into a new deck
moved-hand-karma-discard = { $verb ->
    [play] { $first ->
        [yes] { $seat-is ->
            [you] play { $what }
           *[other] plays { $what }
        }
       *[no] { $seat-is ->
            [you] discard { $what }
           *[other] discards { $what }
        }
    }
   *[other] { $seat-is ->
        [you] discard { $what }
       *[other] discards { $what }
    }
}
moved-hand-stage = { $seat-is ->
    [you] play { $what }
   *[other] plays { $what }
}
moved-hand-in-play = { $seat-is ->
    [you] put { $what } into play
   *[other] puts { $what } into play
}
moved-hand-front = { $seat-is ->
    [you] play { $what }
   *[other] plays { $what }
}
moved-hand-price = { $seat-is ->
    [you] play { $what }
   *[other] plays { $what }
}
moved-hand-on = { $seat-is ->
    [you] play { $what } on { $to }
   *[other] plays { $what } on { $to }
}
moved-stage-front = { $seat-is ->
    [you] are hit by { $what }
   *[other] is hit by { $what }
}
moved-stage-on = { $what } takes effect on { $to }
moved-stage-hand = { $seat-is ->
    [you] get { $what } back
   *[other] gets { $what } back
}
moved-stage-awaited = { $seat-is ->
    [you] will receive { $what } as the next round begins
   *[other] will receive { $what } as the next round begins
}
moved-awaited-hand = “Identity Theft” comes { $to }
moved-stage-karma-discard = {""}
moved-in-play-karma-discard = { $seat-is ->
    [you] discard { $what }
   *[other] discards { $what }
}
moved-front-karma-discard = {""}
moved-on-karma-discard = {""}
moved-price-karma-discard = {""}
# The announcement of the price, or of the value, says it.
moved-market-deck-price = {""}
moved-price-market-discard = {""}
moved-end-market-deck-market-deck = {""}
moved-end-market-deck-value = {""}

# --- What is paid, made and lost ---

paid-taken-from = { $verb ->
    [accept] { $seat-is ->
        [you] get { $what } from { $giver-them }
       *[other] gets { $what } from { $giver-them }
    }
    [pass] { $seat-is ->
        [you] get { $what } from { $giver-them }
       *[other] gets { $what } from { $giver-them }
    }
   *[other] { $seat-is ->
        [you] take { $what } from { $giver-them }
       *[other] takes { $what } from { $giver-them }
    }
}
paid-to = { $seat-is ->
    [you] give { $taker-to } { $what }
   *[other] gives { $taker-to } { $what }
}
paid-unit-bank-warehouse = { $verb ->
    [borrow] { $seat-is ->
        [you] borrow { $what } from Vinnie
       *[other] borrows { $what } from Vinnie
    }
   *[other] { $phase ->
        [production] { $seat-is ->
            [you] produce { $what }
           *[other] produces { $what }
        }
       *[other] { $seat-is ->
            [you] get { $what }
           *[other] gets { $what }
        }
    }
}
paid-unit-warehouse-bank = { $verb ->
    [move] {""}
    [survey] {""}
    [build] { $seat-is ->
        [you] pay { $what }
       *[other] pays { $what }
    }
    [repay] { $seat-is ->
        [you] pay Vinnie { $what }
       *[other] pays Vinnie { $what }
    }
    [sell] { $seat-is ->
        [you] sell { $what }
       *[other] sells { $what }
    }
   *[other] { $phase ->
        [production] { $seat-is ->
            [you] spend { $what } on power
           *[other] spends { $what } on power
        }
       *[other] { $seat-is ->
            [you] lose { $what }
           *[other] loses { $what }
        }
    }
}
paid-unit-warehouse-stage = { $seat-is ->
    [you] put { $what } aside
   *[other] puts { $what } aside
}
paid-unit-stage-warehouse = { $seat-is ->
    [you] get { $what }
   *[other] gets { $what }
}
paid-script-bank-vinnie = {""}
# What is borrowed, and what it is paid back with, says it.
paid-script-vinnie-debts = {""}
paid-script-debts-vinnie = { $seat-is ->
    [you] are rid of { $what }
   *[other] is rid of { $what }
}
paid-rig-bank-works = {""}
paid-rig-works-warehouse = { $amount ->
    [one] { $seat-is ->
        [you] get a new RIGS
       *[other] gets a new RIGS
    }
   *[other] { $seat-is ->
        [you] get { $what }
       *[other] gets { $what }
    }
}
paid-rig-warehouse-spots = { $seat-is ->
    [you] move { $what } { $from } { $to }
   *[other] moves { $what } { $from } { $to }
}
paid-rig-spots-warehouse = { $verb ->
    [move] { $seat-is ->
        [you] move { $what } { $from } { $to }
       *[other] moves { $what } { $from } { $to }
    }
   *[other] { $seat-is ->
        [you] get { $what } { $from }
       *[other] gets { $what } { $from }
    }
}
paid-rig-spots-spots = { $what } { $amount ->
    [one] goes
   *[other] go
} { $from } { $to }
    .does = { $seat-is ->
        [you] move { $what } { $from } { $to }
       *[other] moves { $what } { $from } { $to }
    }
paid-rig-spots-wreck = { $seat-is ->
    [you] lose { $what } { $from }
   *[other] loses { $what } { $from }
}
paid-rig-warehouse-wreck = { $seat-is ->
    [you] lose { $what } { $from }
   *[other] loses { $what } { $from }
}
paid-rig-wreck-works = {""}
paid-rig-wreck-recycled = { $seat-is ->
    [you] put { $what } on Recycling
   *[other] puts { $what } on Recycling
}
paid-rig-wreck-parts = { $seat-is ->
    [you] put { $what } on the Parts Shop
   *[other] puts { $what } on the Parts Shop
}
paid-rig-recycled-works = {""}
paid-rig-parts-works = { $what } on it { $amount ->
    [one] is
   *[other] are
} lost
paid-rig-parts-warehouse = { $seat-is ->
    [you] get { $what } from the Parts Shop
   *[other] gets { $what } from the Parts Shop
}
paid-counted-notepad-notes = { $seat-is ->
    [you] see { $to }
   *[other] sees { $to }
}
paid-counted-notes-notepad = {""}
# A turn follows one of the same player only as a round begins.
turn-again = { $seat-is ->
    [you] You have the first turn
   *[other] { $seat } has the first turn
}
# Turns are of the Player phase.
table-turn = { $phase ->
    [player] { $seat-whose } turn
   *[other] {""}
}
offer-closed = { $verb ->
    [accept] {""}
    [withdraw] {""}
    [offer] {""}
   *[other] { $seat-whose } offer is off the table
}

# --- Marks ---

mark-leader = Expedition Leader
    .help = The Expedition Leader: takes the first turn and the first plot of a grant, and deals the disasters.
mark-land-moved = Land has moved
    .help = A plot has changed hands since the Expedition Leader was determined.
mark-ready = Ready
    .help = Has nothing more to do for now.
mark-dealt = Dealt
    .help = In a land grant, 1 if the plot is drawn. In the Disaster phase, 1 if the disaster still brings a karma card, 2 once it is resolved.
mark-borrowed = Borrowed this phase
    .help = Units that Vinnie has lent in this phase; at most one for each plot.
mark-tinkered = Parts Shop used
    .help = The Parts Shop was rolled for this round.
mark-due = Still due
    .help = How many RIGS, karma cards or units are still to be lost, discarded or gained.
mark-powered = Powered
    .help = The plot gets Energy this round.
marked-powered = { $verb ->
    [power] { $amount ->
        [0] { $piece } gets no Energy
       *[other] { $piece } gets Energy
    }
   *[other] {""}
}
mark-last-called = The Last Call has been made
    .help = Production is laid out; only karma can still change it.
mark-sent-to = Diverted production goes to
    .help = Who gets what the plot with You sent it WHERE?! makes this round.
marked-sent-to = { $now-key ->
    [none] {""}
   *[other] what it makes goes to { $now-to }
}
mark-lost = Last loss of { $value }
    .help = Units of the most recent loss to a Disaster, Destruction or Sabotage.
mark-lost-karma = Last loss of karma
    .help = Karma cards of the most recent loss, if it was one of cards.
mark-lost-both = Lost together
    .help = These karma cards and these units were lost at the same time.
mark-worth = Worth of { $value }
    .help = What a unit is worth at the end, in credits.
mark-by = { $number ->
    [1] Played by
   *[other] Answer { $number } by
}
    .help = Who played the karma card at this position of the stage.
mark-victim = { $number ->
    [1] Played against
   *[other] Answer { $number } against
}
    .help = Whom it is played on.
mark-aimed = { $number ->
    [1] Played on
   *[other] Answer { $number } on
}
    .help = The plot it is played on.
mark-aimed-too = { $number ->
    [1] Played on, too
   *[other] Answer { $number } on, too
}
    .help = The other plot it is played on.
mark-sort = { $number ->
    [1] Played for
   *[other] Answer { $number } for
}
    .help = The resource it is played for.
mark-guarded = Guard rolled
    .help = Of the cards in play that roll against the Sabotage: 1 if they did not help, 2 if they did.
mark-offers = Offers made
    .help = Offers made in this turn or phase.
mark-unreadied = Not ready after all
    .help = How often readiness was taken back in this phase.
mark-shows = Shown
    .help = How often cards or credits were shown in this turn or phase.
mark-touched = Touched
    .help = Something has happened to the seat since it was last ready or passed.
mark-unrolled = { $value } left to stake
    .help = Units that may still be staked on Poker Night: owned when it was played, and not rolled for.

# --- Decisions ---

decision-grant = take a plot of the land grant
decision-grant-to = name who draws the next plot
decision-turn = take a turn: build, move, survey, deal, play karma, or be ready
decision-interrupt = play karma, or make a deal
decision-discard = discard down to five karma cards
decision-deal = name who is dealt the next disaster
decision-exchange = decide whether to exchange a karma card
decision-lose-rigs = choose a RIGS to lose
decision-produce = choose the plots to power, or be ready
decision-call-last = make the Last Call
decision-final = decide whether to play karma on this production
decision-readjust = choose anew which plots to power
decision-draw = name who draws the market card
decision-sell = decide whether to sell Luxury
decision-react = decide whether to answer the Sabotage
decision-give-decoy = decide how to meet the theft of a karma card
decision-take-card = take a card from the open hand
decision-discard-theirs = discard a card from the open hand
decision-throw = choose the resources to lose
decision-match = discard a karma card, to match the loss
decision-gain = choose the resources to gain
decision-salvage = choose the card that takes a lost RIGS
decision-send = choose where the next RIGS of the plot goes
decision-new-owner = name the new owner of the plot
decision-share = name who gets the next unit
decision-robbed = draw three karma cards, or wait for the thief’s card
decision-raise = decide whether to stake more resources
decision-trade-in = decide whether to trade in a card for a RIGS
decision-retrieve = decide whether to take a RIGS from the Parts Shop

# --- Actions ---

verb-grant = Land grant
    .help = Takes a plot of the land grant. The others draw theirs, in the order named if there is one.
    .label = Take { $plot } from the land grant{ $order-count ->
        [0] {""}
       *[other] , then let { $order } draw in this order
    }
    .short = { $plot }{ $order-count ->
        [0] {""}
       *[other] , then { $order }
    }
verb-name = Name
    .help = Names a player: the next to draw or to be dealt to, or the one who gets something.
    .label = Name { $seat-seat-is ->
        [you] yourself
       *[other] { $seat-seat-them }
    }
    .does = {""}
verb-build = Build
    .help = Builds a RIGS for two Metal.
    .label = Build a RIGS for 2 Metal
verb-move = Move
    .help = Moves a RIGS for a Supply.
    .label = Move a RIGS from { $from } to { $to }
    .short = { $from } → { $to }
verb-survey = Survey
    .help = Surveys a plot for a Supply.
    .label = Survey { $plot }
verb-borrow = Borrow
    .help = Borrows a unit from Vinnie, to be paid back double.
    .label = Borrow 1 { $resource } from Vinnie
verb-repay = Repay
    .help = Pays Vinnie two units for a script.
    .label = Repay 1 { $resource } script with 2 { $resource }
    .short = Repay 1 { $resource } script
verb-offer = Offer
    .help = Offers a deal; an earlier offer of yours is withdrawn.
    .label = Offer { $to-seat-to } { $give } for { $take }
verb-withdraw = Withdraw
    .help = Takes back your own offer.
    .label = Withdraw your offer
    .does = { $seat-is ->
        [you] withdraw the offer
       *[other] withdraws the offer
    }
verb-accept = Accept
    .help = Accepts an offer; it is settled at once.
    .label = Accept { $by-seat-whose } offer
    .does = { $seat-is ->
        [you] accept the deal
       *[other] accepts the deal
    }
verb-refuse = Refuse
    .help = Declines an offer.
    .label = Refuse { $by-seat-whose } offer
    .does = { $seat-is ->
        [you] refuse
       *[other] refuses
    }
verb-play = Play
    .help = Plays a karma card.
    .label = Play { $card }{ $aim ->
        [seat] {" "}against { $seat-seat-them }
        [plot] {" "}on { $plot }
        [plots] {" "}on { $plots }
        [resource] {" "}for { $resource }
        [spots] {" "}on the { $spots }
        [swap] : { $swap }
        [stake] {" "}and stake { $stake }
        [loss] {" "}{ $loss }
       *[none] {""}
    }
    .short = { $card }{ $aim ->
        [seat] : { $seat-seat-them }
        [plot] : { $plot }
        [plots] : { $plots }
        [resource] : { $resource }
        [spots] : { $spots }
        [swap] : { $swap }
        [stake] : { $stake }
        [loss] {" "}{ $loss }
       *[none] {""}
    }
verb-cash = Cash in
    .help = Discards Recycling for a Metal for each RIGS on it.
    .label = Discard Recycling for Metal
verb-tinker = Tinker
    .help = Rolls for a RIGS on the Parts Shop.
    .label = Roll for the Parts Shop
    .does = { $seat-is ->
        [you] try the Parts Shop
       *[other] tries the Parts Shop
    }
verb-discard = Discard
    .help = Discards a karma card.
    .label = Discard { $card }
verb-take = Take
    .help = Takes a karma card from another hand.
    .label = Take { $card }
verb-salvage = Salvage
    .help = Chooses the card in play that a lost RIGS goes on.
    .label = Put a lost RIGS on { $card }
verb-lose = Lose
    .help = Loses a RIGS.
    .label = Lose a RIGS from { $from }
verb-throw = Throw away
    .help = Chooses the resources to lose.
    .label = Lose { $units }
verb-gain = Gain
    .help = Gets resources of your choice.
    .label = Get { $units }
verb-send = Send
    .help = Chooses where a RIGS goes.
    .label = Send the RIGS to { $to }
verb-draw-three = Draw three
    .help = Draws three karma cards after Identity Theft.
    .label = Draw three karma cards
verb-receive = Receive
    .help = Receives Identity Theft when the next round begins.
    .label = Receive “Identity Theft” when the next round begins
    .short = Wait for Identity Theft
verb-power = Power
    .help = Chooses which plots get Energy.
    .label = { $plots-count ->
        [0] Power no plot
       *[other] Power { $plots }
    }
verb-last-call = Last Call
    .help = Makes the Last Call.
    .label = Make the Last Call
verb-sell = Sell
    .help = Sells Luxury at the price of the round.
    .label = Sell { $amount } Luxury
verb-ready = Ready
    .help = Has nothing more to do in this turn or phase.
    .label = Be ready
    .does = { $seat-is ->
        [you] keep to this layout
       *[other] keeps to this layout
    }
verb-unready = Not ready
    .help = Takes back readiness.
    .label = Be not ready after all
verb-pass = Pass
    .help = Does nothing.
    .label = Pass
    .does = { $seat-is ->
        [you] pass
       *[other] passes
    }
verb-raise = Raise
    .help = Stakes more resources on Poker Night.
    .label = Stake { $units } more
verb-show = Show
    .help = Shows karma cards or credits to some players or to everyone.
    .label = Show { $cards-count ->
        [0] your credits
       *[other] { $cards }{ $credits ->
            [yes] {" "}and your credits
           *[no] {""}
        }
    } to { $to-count ->
        [0] everyone
       *[other] { $to }
    }
    .does = { $seat-is ->
        [you] lay cards on the table
       *[other] lays cards on the table
    }
verb-claim = Claim
    .help = Takes the RIGS that a karma card in play brings.
    .label = Take the RIGS
verb-series = Several answers
    .help = Answers the same question several times at once, in order.
    .label = In this order: { $answers }
    .short = { $answers }
    .does = {""}

part-location = { $at ->
    [warehouse] { $warehouse-seat-whose } warehouse
   *[spot] the { $spot }
}
part-spot = { $resource } spots of { $plot }
part-plots = { $plot } and { $other }
part-swap = { $give } for { $take }
part-loss = against { $victim-seat-them }{ $units ->
    [nothing] { $cards-count ->
        [0] , for your last loss
       *[other] , discarding { $cards }
    }
   *[other] , giving up { $units }{ $cards-count ->
        [0] {""}
       *[other] {" "}and discarding { $cards }
    }
}
part-bundle =
    .units = { $units }
    .credits = { $credits ->
        [one] { $credits } credit
       *[other] { $credits } credits
    }
    .plots = { $plots }
    .rigs = { $rigs } RIGS
    .scripts = scripts of { $scripts }
part-resources =
    .energy = { $energy } Energy
    .supply = { $supply } Supply
    .metal = { $metal } Metal
    .luxury = { $luxury } Luxury

# --- Announcements ---

# The event of the phase says it.
announcement-begins = {""}
announcement-leads =
    .does = { $seat-is ->
        [you] become the Expedition Leader
       *[other] becomes the Expedition Leader
    }
announcement-is-ready =
    .does = { $seat-is ->
        [you] are ready
       *[other] is ready
    }
announcement-is-not-ready =
    .does = { $seat-is ->
        [you] are not ready after all
       *[other] is not ready after all
    }
announcement-last-call =
    .sentence = The Last Call is made
announcement-unaffected =
    .does = { $seat-is ->
        [you] are not affected
       *[other] is not affected
    }
announcement-averted = the Sabotage comes to nothing
announcement-taken-over =
    .does = { $seat-is ->
        [you] take over the Sabotage
       *[other] takes over the Sabotage
    }
announcement-returned =
    .does = { $seat-is ->
        [you] play no more Sabotage this round
       *[other] plays no more Sabotage this round
    }
announcement-wasted =
    .does = { $seat-is ->
        [you] cannot store { $amount } Energy
       *[other] cannot store { $amount } Energy
    }
announcement-price =
    .sentence = Luxury sells for { $amount ->
        [one] { $amount } credit
       *[other] { $amount } credits
    } a unit
announcement-land-value =
    .sentence = Each { $value } plot is worth { $amount ->
        [one] { $amount } credit
       *[other] { $amount } credits
    }
announcement-unit-value =
    .sentence = Each unit of { $value } is worth { $amount ->
        [one] { $amount } credit
       *[other] { $amount } credits
    }
# The scores say what each player is worth, part by part.
announcement-plots-worth = {""}
    .title = plots
announcement-stock-worth = {""}
    .title = resources
announcement-credits-held = {""}
    .title = credits
announcement-owes = {""}
    .title = debts
announcement-on-seat =
    .adds = against { $seat-them }
announcement-on-plot =
    .adds = on { $piece }
announcement-on-resource =
    .adds = for { $value }
announcement-powers =
    .does = { $amount ->
        [0] { $seat-is ->
            [you] power no plots
           *[other] powers no plots
        }
        [one] { $seat-is ->
            [you] power { $amount } plot
           *[other] powers { $amount } plot
        }
       *[other] { $seat-is ->
            [you] power { $amount } plots
           *[other] powers { $amount } plots
        }
    }
announcement-price-for-seat =
    .sentence = { $seat-is ->
        [you] You sell Luxury for { $amount } credits each this round
       *[other] { $seat } sells Luxury for { $amount } credits each this round
    }
announcement-shows-credits =
    .does = { $amount ->
        [one] { $seat-is ->
            [you] show everyone { $amount } credit
           *[other] shows everyone { $amount } credit
        }
       *[other] { $seat-is ->
            [you] show everyone { $amount } credits
           *[other] shows everyone { $amount } credits
        }
    }

phase-player = Player
phase-disaster = Disaster
phase-production = Production
phase-market = Market

# --- Facets and values ---

facet-land = Land
facet-energy = Energy spots
facet-supply = Supply spots
facet-metal = Metal spots
facet-luxury = Luxury spots
facet-end-market-cards = End Market cards
facet-kind = Kind
facet-played-in = Played in
facet-target = Target
facet-class = Class
facet-value = Value
value-energy = Energy
value-supply = Supply
value-metal = Metal
value-luxury = Luxury
value-plains = Plains
value-valley = Valley
value-forest = Forest
value-desert = Desert
value-ridge = Ridge
value-destruction = Destruction
value-sabotage = Sabotage
value-wealth = Wealth
value-protection = Protection
value-player = Player phase
value-disaster = Disaster phase
value-production = Production phase
value-last-call = Last Call
value-market = Market phase
value-reaction = In answer
value-one = One victim
value-many = Several players
value-all = Everyone
value-self = Yourself
value-special = Everyone’s price
value-karma-card = A karma card
value-low = Low
value-normal = Normal
value-high = High
value-spike = Spike

# --- Plots, surveys and market cards ---

piece-plains = Plains { $copy }
    .text = Spots: { $energy } Energy, { $supply } Supply or { $metal } Metal. Worth one End Market card.
piece-valley = Valley { $copy }
    .text = Spots: { $energy } Energy, { $supply } Supply or { $metal } Metal. Worth one End Market card.
piece-forest = Forest { $copy }
    .text = Spots: { $energy } Energy, { $supply } Supply or { $metal } Metal. Worth two End Market cards.
piece-desert = Desert { $copy }
    .text = Spots: { $energy } Energy, { $supply } Supply or { $metal } Metal. Worth two End Market cards.
piece-ridge = Ridge { $copy }
    .text = Spots: { $energy } Energy, { $supply } Supply or { $metal } Metal. Worth two End Market cards.
piece-0-yield-survey = no Luxury spot
piece-1-yield-survey = 1 Luxury spot
piece-2-yield-survey = 2 Luxury spots
piece-3-yield-survey = 3 Luxury spots
piece-market-low = Market Low { $value }
piece-market-normal = Market Normal { $value }
piece-market-high = Market High { $value }
piece-market-spike = Market Spike { $value }

# --- Disasters ---

piece-safe = Safe
    .text = Nothing happens. You may exchange a karma card.
piece-unexpected-spoilage = Unexpected Spoilage
    .text = You lose half of your Supply, rounded up; if you have none, a RIGS. You draw a karma card.
piece-massive-solar-flare = Massive Solar Flare
    .text = You lose all your Energy; if you have none, a RIGS. You draw a karma card.
piece-out-in-the-acid-rain = Out in the (Acid) Rain!
    .text = You lose half of your Metal, rounded up; if you have none, a RIGS. You draw a karma card.
piece-raid = Raid!
    .text = You lose all your Luxury. If you had any, you draw a karma card.
piece-solar-eclipse = Solar Eclipse!
    .text = Your Desert plots make no Energy this round; if you have no such plot, you lose a RIGS. You draw a karma card.
piece-seasonal-hell = Seasonal Hell
    .text = One RIGS works on each of your Valley plots this round; if you have no such plot, you lose a RIGS. You draw a karma card.
piece-theft = Theft!
    .text = You lose half of your Luxury, rounded up. If you had any, you draw a karma card.
piece-corrosive-cloud = Corrosive Cloud!
    .text = You lose all your Metal; if you have none, a RIGS. You draw a karma card.
piece-infestation = Infestation!
    .text = Your plots make no Supply this round; if you have no RIGS on Supply, you lose a RIGS. You draw a karma card.
piece-battery-failure = Battery Failure
    .text = You lose all your Energy. If you had any, you draw a karma card.
piece-battery-charger-failure = Battery Charger Failure
    .text = Energy that you make this round and do not use is lost. If you have RIGS on Energy, you draw a karma card.
piece-energy-junction-failure = Energy Junction Failure
    .text = Energy that you make this round powers no plots. If you have RIGS on Energy, you draw a karma card.

# --- Karma: Destruction ---

piece-missing-support = ‘Missing’ Support
    .text = Your victim loses a RIGS that you choose.
piece-bad-os-revision = Bad OS Revision
    .text = Your victim loses half of its RIGS, rounded up, and draws two karma cards.
piece-wrong-manual = Wrong Manual
    .text = Your victim loses a RIGS that it chooses.
piece-eye-for-an-eye = Eye for an Eye
    .text = A random card of your victim’s karma hand is discarded.
piece-not-that-one = Not THAT one
    .text = You look through your victim’s karma hand and discard one of its cards.
piece-i-aint-going-alone = I Ain’t Going Alone
    .text = Your victim loses the same resources, or as many karma cards, as you last lost, as far as it has them. Instead you may discard some now, to be matched.
piece-accidental-dumping = ‘Accidental’ Dumping
    .text = Your victim loses all Luxury in its warehouse.
piece-left-the-light-on = Left the Light On
    .text = Your victim loses half of the Energy in its warehouse, rounded up.
piece-da-roof-is-on-fire = Da’ Roof is on Fire!
    .text = Your victim loses every resource in its warehouse, and draws a karma card for each ten of them or part of ten.
piece-rough-storm = Rough Storm
    .text = Everyone rolls, you too: a 6 has no effect; whoever rolls less loses as many resources, or all of too few, and draws a karma card if any were lost.
piece-blowout = Blowout!
    .text = Your victim loses all RIGS on a plot that you choose, and draws a karma card.

# --- Karma: Sabotage ---

piece-give-me-that = Give Me That!
    .text = You take a random card of your victim’s karma hand into yours.
piece-identity-theft = Identity Theft
    .text = You swap credits with your victim, who then draws three karma cards, or gets this one as the next round begins.
piece-incorrect-drivers = Incorrect Drivers
    .text = The RIGS on a plot that you choose make nothing this round.
piece-ill-take-that = I’ll Take THAT!
    .text = You look through your victim’s karma hand and take one of its cards into yours.
piece-i-want-that = I WANT THAT!
    .text = You choose a resource. Every other player who has some rolls, and gives you that many, or all of too few.
piece-you-sent-it-where = You sent it WHERE?!
    .text = What a plot that you choose makes this round goes to you.
piece-brownout = Brownout!
    .text = Your victim pays twice the Energy to power plots this round.
piece-survey-error = Survey Error
    .text = The survey of a plot that you choose goes back into the deck. RIGS that lose their spots go to the warehouse.
piece-survey-typo = Survey Typo
    .text = The surveys of two plots that you choose change places. RIGS that lose their spots go to the warehouse.
piece-record-not-found = “Record Not Found”
    .text = The Expedition Leader gives a plot that you choose, with everything on it, to another player. Your victim draws a karma card.
piece-carrier-lost = Carrier Lost
    .text = None of your victim’s RIGS work this round. It draws a karma card.
piece-triangulation-drift = Triangulation Drift
    .text = You send each RIGS on a plot that you choose to any other plot or warehouse. Your victim draws a karma card.

# --- Karma: Wealth ---

piece-recycling = Recycling
    .text = Stays in play: RIGS that you lose go on it. Discard it in the Player phase for a Metal for each RIGS on it.
piece-ridiculous-efficiency = Ridiculous Efficiency
    .text = All your RIGS make double this round.
piece-parts-shop = Parts Shop
    .text = Stays in play: RIGS that you lose go on it. Roll once in each Player phase: if at least that many RIGS are on it, one of them goes to your warehouse; on a 1 the card and its RIGS are lost.
piece-swap-meet = Swap Meet
    .text = You exchange up to six resources for as many of any kinds.
piece-poker-night = Poker Night
    .text = You roll for as many of your resources as you wish: on a 1 it is lost, on a 4 or 5 it is doubled, on a 6 tripled.
piece-below-the-surface = Below the Surface
    .text = You get a resource for each spot of one kind on a plot of yours.
piece-winning-raffle-ticket = Winning Raffle Ticket
    .text = You roll, and get that many Luxury.
piece-ruins = Ruins
    .text = You roll, and get that many resources of your choice.
piece-rigs-tdm = R.I.G.S. T.D.M.
    .text = The RIGS on one of your plots make triple this round.
piece-other-markets = Other Markets
    .text = After the Market card is drawn: a Luxury is worth as much as the highest Market card drawn this match.
piece-naive-profits = Naive Profits
    .text = After the Market card is drawn: each Luxury that you sell is worth more by the value of the lowest Market card drawn this match.

# --- Karma: Protection ---

piece-wrong-address = Wrong Address
    .text = When a Sabotage affects you, you redirect it to a player or plot that it does not affect, or are not affected.
piece-rigs-alarm-system = R.I.G.S. Alarm System
    .text = Stays in play: when a Sabotage affects you, roll: on an even number you are not affected, on a 1 this is discarded.
piece-push-pull-or-drag = Push, Pull, or Drag
    .text = Stays in play: when a RIGS of yours is destroyed, you may discard this for a new RIGS in your warehouse.
piece-calling-in-a-favor = Calling in a Favor
    .text = A Sabotage is discarded without effect.
piece-ive-got-a-donk = I’ve Got a Donk
    .text = Stays in play: when a Sabotage affects you, roll: on a 2 to 5 you are not affected, on a 1 or 6 this is discarded.
piece-right-back-at-you = Right Back At You
    .text = A Sabotage affects its owner instead, and its victims get what it brings, as you share it out.
piece-warehouse-insurance = Warehouse Insurance
    .text = You get back the resources that you last lost to a Disaster, Destruction or Sabotage.
piece-decoy = Decoy
    .text = When another player would take a card from your karma hand, they take this one instead.
piece-double-agent = Double Agent
    .text = A Sabotage becomes yours: use it at once as you wish, or discard it.
piece-aint-working-for-you = Ain’t Working for You
    .text = A Sabotage goes back to its owner’s hand, who plays no more Sabotage this round.
piece-a-little-information = A Little Information
    .text = You look at the karma hands and the credits of all other players.

# --- Refusals ---

refusal-not-now = this is not possible now
refusal-not-your-plot = you do not own { $plot }
refusal-not-granted = { $plot } is not among the plots of the grant
refusal-cannot-name = { $seat-seat-is ->
    [you] you cannot be named now
   *[other] { $seat-seat } cannot be named now
}
refusal-too-few = that costs { $needed } { $resource }, and you have { $there }
refusal-no-rigs-left = all 75 RIGS of the colony are built
refusal-no-rigs-there = you have no RIGS there
refusal-no-room = a RIGS cannot go there: it needs a free spot, and all RIGS on a plot work on one resource
refusal-surveyed = { $plot } is surveyed already
refusal-no-surveys-left = the survey deck is empty
refusal-not-lent = Vinnie lends no Luxury
refusal-no-script-left = Vinnie has no { $resource } script left
refusal-credit-limit = in each phase Vinnie lends one unit for each plot, and you own { $plots }
refusal-nothing-owed = you owe Vinnie no { $resource }
refusal-nobody-to-deal-with = { $seat-seat-is ->
    [you] you cannot deal with yourself
   *[other] no deal is possible with { $seat-seat-them }
}
refusal-not-on-turn = in the Player phase a deal needs the turn of one of its two players
refusal-zero-hour = only resources and credits change hands in the Production phase
refusal-scripts-stay = a script stays with its borrower until the loan is paid back
refusal-empty-deal = at least one side of a deal must give something
refusal-cannot-give = you do not have what you would give
refusal-cannot-take = { $seat-seat } does not have what you ask for
refusal-no-such-offer = there is no such offer
refusal-not-in-hand = { $card } is not in your hand
refusal-wrong-time = { $card } cannot be played now
refusal-bad-aim = { $card } cannot be played on that
refusal-no-more-sabotage = you cannot play Sabotage for the rest of this round
refusal-not-in-play = you do not have { $card } in play
refusal-tinkered-already = you have already rolled for the Parts Shop this round
refusal-no-such-card = { $card } is not among the cards to choose from
refusal-wrong-amount = choose { $needed ->
    [one] one unit
   *[other] { $needed } units in all
}, of those available
refusal-cannot-stake = stake units that you had when Poker Night was played and have not rolled for
refusal-nothing-to-power = { $plot } cannot be given Energy
refusal-not-enough-energy = powering these plots takes { $needed } Energy, and you have { $there }
refusal-ready-already = you are ready; take that back first
refusal-all-ready = everybody is ready, so the Last Call comes
refusal-too-many-unready = you have taken back your readiness { $most } times in this phase
refusal-too-many-offers = you have made { $most } offers in this turn or phase
refusal-too-many-shows = you have shown something { $most } times in this turn or phase
refusal-not-ready = you are not ready
refusal-cannot-sell = you cannot sell { $amount } Luxury: you have { $there }
refusal-must-sell = in the last round all Luxury must be sold

# --- How to play ---

primer-1 = The goal
    .pieces = valley-1 forest-1 desert-1 ridge-1
    .rules = 1 3 18
    .text =
        Be worth the most after fifteen rounds. Your plots, your resources and your credits count, and what you owe Vinnie is taken off.
        RIGS and karma cards are worth nothing in the end.

        A RIGS is a machine that stands on a spot of a plot and makes one unit of that spot’s resource: Energy, Supply, Metal or Luxury.
        All RIGS on a plot work on the same resource.
primer-2 = A round
    .rules = 4
    .text =
        Each round has four phases: everybody builds and trades; a disaster strikes each player; plots make resources; and Luxury is
        sold.

        The Expedition Leader is the player with the worst plots, and makes a few decisions for all, such as who gets which disaster.
primer-3 = Build and trade
    .decisions = grant grant-to turn interrupt discard
    .pieces = plains-1 1-yield-survey-1 3-yield-survey-1
    .rules = 5 6 7
    .text =
        From the second round on, while there are plots, the leader looks at one new plot for each player, takes one, and the others
        draw theirs.

        Then everybody has turns. On yours, do as much as you like, and say “ready” when you are done:

        - Build a RIGS for 2 Metal. It comes to your warehouse.
        - Move a RIGS for 1 Supply, to a free spot of one of your plots or back to the warehouse.
        - Survey one of your plots for 1 Supply: it may have spots for Luxury.
        - Offer deals: resources, credits, plots and RIGS, for any of these.
        - Borrow from Vinnie. You get 1 unit and pay back 2, or four times its worth at the end.
        - Play karma cards.

        When all are ready, everybody discards down to five karma cards.
primer-4 = Disasters
    .decisions = deal exchange lose-rigs
    .pieces = safe-1 theft-1 massive-solar-flare-1
    .rules = 8 9
    .text =
        The leader deals each player a disaster. It may take resources from your warehouse, take a RIGS or limit what you make this
        round. If it harms you, you draw a karma card. If it does not, you may exchange a karma card for another.
primer-5 = Production
    .decisions = produce call-last final readjust
    .pieces = incorrect-drivers rigs-tdm
    .rules = 10
    .text =
        A plot works only if it is powered, for 1 Energy. A plot whose RIGS make Energy needs none, and the Energy that it makes this
        round may power your other plots. The table begins with the choice that makes most; change it if you like, and say “ready”.

        When all are ready, the Last Call is made: after it, some karma cards can still spoil or multiply what plots make. Then
        everything comes to the warehouses.
primer-6 = The market
    .decisions = sell draw
    .pieces = market-low-4-1 market-normal-10-1 market-spike-30-1
    .rules = 11
    .text =
        A card sets the price of Luxury for this round. Sell as much as you like, or keep it for a better price. In the last round, all
        Luxury must be sold.
primer-7 = Karma cards
    .decisions = react give-decoy take-card discard-theirs throw match gain salvage send new-owner share robbed raise trade-in retrieve
    .pieces = blowout i-want-that ruins double-agent
    .rules = 12 13 14 15 16 17
    .text =
        Each card says what it does and in which phases it may be played. There are four kinds: Destruction harms others and cannot be
        prevented, Sabotage harms them but can be answered, Wealth helps you, and Protection mostly answers or softens what is done to
        you.

        When a Sabotage is played, the others are asked whether they answer it, whether they hold a fitting card or not, so that a
        question tells nothing. An answer may be answered too; the last one counts.
primer-8 = The end
    .rules = 18
    .text =
        After round 15 the leader rolls a die for each of Energy, Supply and Metal: so much is a unit of it worth. Market cards say what
        each kind of plot is worth, and a plot with a Luxury spot counts double. Each debt costs four times the worth of its resource.
        Whoever is worth most wins; if two are equal, the one with more credits.
