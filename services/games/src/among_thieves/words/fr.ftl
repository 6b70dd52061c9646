game = Among Thieves
    .description = Montez des coups ensemble, partagez le butin ou raflez tout, et veillez sur votre honneur.
    .duration = 30 à 45 minutes
    .difficulty = facile

# Une corporation en court, après « pioche ».
corporation = { $value-key ->
    [corvid] Corvid
    [lefleur] LeFleur
   *[paragon] Paragon
}

# --- Lieux ---

place-reserve = Réserve
    .from = de la réserve
    .to = dans la réserve
    .at = dans la réserve
place-box = Boîte
    .from = de la boîte
    .to = dans la boîte
    .at = dans la boîte
place-deck = Pioche { corporation }
    .from = de la pioche { corporation }
    .to = dans la pioche { corporation }
    .at = dans la pioche { corporation }
place-pot = Sur la pioche { corporation }
    .from = sur la pioche { corporation }
    .to = sur la pioche { corporation }
    .at = sur la pioche { corporation }
place-event-deck = Pioche des événements
    .from = de la pioche des événements
    .to = dans la pioche des événements
    .at = dans la pioche des événements
place-events = Événements
    .from = des événements
    .to = parmi les événements
    .at = parmi les événements
place-event-discard = Défausse des événements
    .from = de la défausse des événements
    .to = dans la défausse des événements
    .at = dans la défausse des événements
place-payout = Butin
    .from = du butin
    .to = dans le butin
    .at = dans le butin
place-discard = Défausse
    .from = de la défausse
    .to = dans la défausse
    .at = dans la défausse
place-stash = Cachette
    .from = { $owner-is ->
        [you] de votre cachette
        [self] de sa cachette
       *[other] de la cachette { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre cachette
        [self] dans sa cachette
       *[other] dans la cachette { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre cachette
        [self] dans sa cachette
       *[other] dans la cachette { $owner-whose }
    }
place-track = Piste d’honneur
    .from = { $owner-is ->
        [you] de votre piste d’honneur
        [self] de sa piste d’honneur
       *[other] de la piste d’honneur { $owner-whose }
    }
    .to = { $owner-is ->
        [you] sur votre piste d’honneur
        [self] sur sa piste d’honneur
       *[other] sur la piste d’honneur { $owner-whose }
    }
    .at = { $owner-is ->
        [you] sur votre piste d’honneur
        [self] sur sa piste d’honneur
       *[other] sur la piste d’honneur { $owner-whose }
    }
place-pocket = Disque d’honneur
    .from = { $owner-is ->
        [you] de votre disque d’honneur
        [self] de son disque d’honneur
       *[other] du disque d’honneur { $owner-whose }
    }
    .to = { $owner-is ->
        [you] sur votre disque d’honneur
        [self] sur son disque d’honneur
       *[other] sur le disque d’honneur { $owner-whose }
    }
    .at = { $owner-is ->
        [you] sur votre disque d’honneur
        [self] sur son disque d’honneur
       *[other] sur le disque d’honneur { $owner-whose }
    }
place-palm = Choix secret
    .from = { $owner-is ->
        [you] de votre main
        [self] de sa main
       *[other] de la main { $owner-whose }
    }
    .to = { $owner-is ->
        [you] sous votre main
        [self] sous sa main
       *[other] sous la main { $owner-whose }
    }
    .at = { $owner-is ->
        [you] sous votre main
        [self] sous sa main
       *[other] sous la main { $owner-whose }
    }
place-revealed = Choix
    .from = { $owner-is ->
        [you] de votre choix révélé
        [self] de son choix révélé
       *[other] du choix révélé { $owner-whose }
    }
    .to = { $owner-is ->
        [you] avec votre choix révélé
        [self] avec son choix révélé
       *[other] avec le choix révélé { $owner-whose }
    }
    .at = { $owner-is ->
        [you] comme votre choix révélé
        [self] comme son choix révélé
       *[other] comme le choix révélé { $owner-whose }
    }
# Ce que cache un écran.
uncounted = caché

# Les titres des événements sont entre guillemets ; les autres cartes sont décrites.
named = { $back ->
    [event] « { $title } »
   *[other] { $title }
}

# --- Argent, dos, marqueurs ---

coin-million = ISK
    .help = De l’argent, en millions. Le joueur le plus riche qui n’est pas éliminé gagne.
    .amount = { $amount } M ISK
    .some = quelques ISK
coin-honor = Honneur
    .help = La position d’un joueur sur la piste d’honneur, de 1 à 13. Trop peu d’honneur, ou trop avec l’une des cartes de fin, élimine à la fin.
    .amount = { $amount ->
        [one] { $amount } point d’honneur
       *[other] { $amount } points d’honneur
    }
    .some = de l’honneur
coin-million-got = { $seat-is ->
    [you] recevez { $what }
   *[other] reçoit { $what }
}
    .many = { $people } { $people-are ->
        [with-you] recevez
       *[many] reçoivent
    } { $what } chacun
coin-million-paid = { $seat-is ->
    [you] payez { $what }
   *[other] paie { $what }
}
    .many = { $people } { $people-are ->
        [with-you] payez
       *[many] paient
    } { $what } chacun
coin-honor-got = { $seat-is ->
    [you] gagnez { $what }
   *[other] gagne { $what }
}
    .many = { $people } { $people-are ->
        [with-you] gagnez
       *[many] gagnent
    } { $what } chacun
coin-honor-paid = { $seat-is ->
    [you] perdez { $what }
   *[other] perd { $what }
}
    .many = { $people } { $people-are ->
        [with-you] perdez
       *[many] perdent
    } { $what } chacun
back-disc = Disque d’honneur
    .help = Un disque d’honneur sous une main : le choix est fait, mais personne d’autre ne le voit.
    .counted = { $count ->
        [1] un disque caché
       *[other] { $count } disques cachés
    }
back-tier-one-card = Carte { corporation } de niveau 1
    .help = Les premières cartes de la pioche d’une corporation, aux valeurs les plus basses.
    .counted = { $count ->
        [1] une carte { corporation } de niveau 1
       *[other] { $count } cartes { corporation } de niveau 1
    }
back-tier-two-card = Carte { corporation } de niveau 2
    .help = Les cartes du milieu de la pioche d’une corporation.
    .counted = { $count ->
        [1] une carte { corporation } de niveau 2
       *[other] { $count } cartes { corporation } de niveau 2
    }
back-tier-three-card = Carte { corporation } de niveau 3
    .help = Les dernières cartes de la pioche d’une corporation, aux valeurs les plus hautes. L’une d’elles est sa carte de fin.
    .counted = { $count ->
        [1] une carte { corporation } de niveau 3
       *[other] { $count } cartes { corporation } de niveau 3
    }
back-event = Événement
    .counted = { $count ->
        [1] un événement
       *[other] { $count } événements
    }
mark-member = Du coup
    .help = Le joueur fait partie de l’équipe de ce coup.
mark-target = Victime du chantage
    .help = La corporation que ce coup fait chanter.
mark-events-due = Événements à venir
    .help = Les événements que ce coup doit encore piocher.
mark-eliminated = Éliminé
    .help = Le joueur a été éliminé à la fin et ne peut pas gagner.
mark-turns-begun = Tour
    .help = Le nombre de tours commencés. Les paiements et les offres le mentionnent.
mark-offers-made = Offres faites
    .help = Les offres que le joueur a faites pendant ce tour.

# --- Tours et décisions ---

turn-began = { $seat-is ->
    [you] Vous menez le prochain coup
   *[other] { $seat } mène le prochain coup
}
turn-again = { $seat-is ->
    [you] Vous menez le prochain coup
   *[other] { $seat } mène le prochain coup
}
table-turn = { $seat-is ->
    [you] vous menez le coup
   *[other] { $seat } mène le coup
}
summary-turn = { $seat-is ->
    [you] vous menez le coup
   *[other] { $seat } mène le coup
}
decision-assemble = réunir l’équipe
decision-deal = conclure des accords
decision-blackmail = faire chanter une corporation
decision-choose = choisir entre partager et tout rafler
decision-reconsider = choisir de nouveau
decision-favor = désigner un joueur qui n’est pas du coup et reçoit 4 M ISK

# --- Actions ---

verb-pay = Payer
    .help = Paie à un autre joueur une part de vos ISK, aussitôt et pour de bon. Tout le monde voit qui vous payez, mais pas combien.
    .label = Payer { $millions } M ISK { $to-seat-to }
verb-assemble = Réunir une équipe
    .help = Choisit la moitié des joueurs, arrondie au-dessus, pour le coup. Les accords s’arrêtent là.
    .label = Réunir une équipe : { $seats }
    .short = { $seats }
verb-blackmail = Faire chanter
    .help = Choisit la corporation du coup. Vous prenez les ISK posés sur sa pioche, et 2 M ISK s’ajoutent à chacune des autres.
    .label = Faire chanter { $corporation }
verb-choose = Choisir
    .help = Choisit en secret de partager le butin ou de le rafler. Le choix est définitif.
    .label = { $choice-key ->
        [honorable] Être honorable
       *[dishonorable] Trahir
    }
verb-favor = Favoriser
    .help = Désigne un joueur qui n’est pas du coup et reçoit 4 M ISK.
    .label = { $seat-seat-is ->
        [you] Vous désigner pour 4 M ISK
       *[other] Désigner { $seat-seat-them } pour 4 M ISK
    }
    .does = { $seat-is ->
        [you] désignez l’ami dans le besoin
       *[other] désigne l’ami dans le besoin
    }
verb-offer = Proposer
    .help = Propose à un autre joueur une part de vos ISK, lui en demande, ou les deux. Remplace votre offre en cours.
    .label = { $give ->
        [0] Demander { $take } M ISK { $to-seat-to }
       *[other] { $take ->
            [0] Offrir { $give } M ISK { $to-seat-to } sans contrepartie
           *[other] Proposer { $to-seat-to } { $give } M ISK contre { $take } M ISK
        }
    }
    .short = { $to-seat-them } : { $give } M contre { $take } M ISK
verb-withdraw = Retirer l’offre
    .help = Retire votre offre en cours.
    .label = Retirer votre offre
    .does = { $seat-is ->
        [you] retirez l’offre
       *[other] retire l’offre
    }
verb-accept = Accepter
    .help = Accepte une offre aux conditions que vous voyez : les ISK changent de mains aussitôt.
    .label = { $give ->
        [0] Accepter l’offre { $by-seat-whose } et payer { $take } M ISK
       *[other] { $take ->
            [0] Accepter l’offre { $by-seat-whose } et recevoir { $give } M ISK
           *[other] Accepter l’offre { $by-seat-whose } : { $give } M ISK contre { $take } M ISK
        }
    }
    .short = Accepter l’offre { $by-seat-whose }
    .does = { $seat-is ->
        [you] acceptez l’offre
       *[other] accepte l’offre
    }
verb-refuse = Refuser
    .help = Refuse une offre.
    .label = Refuser l’offre { $by-seat-whose }
    .does = { $seat-is ->
        [you] refusez
       *[other] refuse
    }

# --- Ce qui se passe ---

# Une nouvelle offre remplace celle en cours, et l’équipe met fin à tous les accords, sans un mot.
offer-closed = { $verb ->
    [offer] {""}
    [withdraw] {""}
    [accept] {""}
    [assemble] {""}
   *[other] { $seat-is ->
        [you] votre offre
       *[other] l’offre { $seat-whose }
    } n’est plus sur la table
}
paid-taken-from = { $seat-is ->
    [you] recevez { $what } { $giver-whose }
   *[other] reçoit { $what } { $giver-whose }
}
announcement-assembles =
    .does = { $seat-is ->
        [you] réunissez une équipe
       *[other] réunit une équipe
    }
announcement-joins =
    .does = { $seat-is ->
        [you] êtes du coup
       *[other] est du coup
    }
    .many = { $people } { $people-are ->
        [with-you] êtes
       *[many] sont
    } du coup
announcement-blackmails =
    .does = { $seat-is ->
        [you] faites chanter { $value }
       *[other] fait chanter { $value }
    }
paid-million-reserve-pot = la réserve pose { $shares }
moved-pocket-palm = { $what-key ->
    [honorable] { $seat-is ->
        [you] choisissez d’être honorable
       *[other] choisit d’être honorable
    }
    [dishonorable] { $seat-is ->
        [you] choisissez de trahir
       *[other] choisit de trahir
    }
   *[hidden] { $seat-is ->
        [you] avez choisi
       *[other] a choisi
    }
}
# Dans une version antérieure, on pouvait changer de choix.
moved-palm-pocket = {""}
moved-palm-revealed = { $what-key ->
    [honorable] { $seat-is ->
        [you] êtes honorable
       *[other] est honorable
    }
   *[dishonorable] { $seat-is ->
        [you] trahissez
       *[other] trahit
    }
}
    .many = { $people } { $what-key ->
        [honorable] { $people-are ->
            [with-you] êtes honorables
           *[many] sont honorables
        }
       *[dishonorable] { $people-are ->
            [with-you] trahissez
           *[many] trahissent
        }
    }
    .begins = les choix sont révélés
moved-revealed-pocket = {""}
moved-deck-stash = { $seat-is ->
    [you] cachez { $what }
   *[other] cache { $what }
}
    .many = { $people } { $people-are ->
        [with-you] cachez
       *[many] cachent
    } { $what } chacun
    .begins = {""}
moved-deck-payout = on révèle { $what }
    .begins = {""}
moved-box-deck = {""}
moved-box-event-deck = {""}
moved-event-deck-events = {""}
    .begins = { $what-key ->
        [fresh-dirt] « Nouveau scandale » ajoute 3 M ISK au butin
        [damage-control] « Gestion de crise » retire 2 M ISK du butin
        [mother-lode] « Filon » double le butin
        [skeletons-in-the-closet] « Cadavres dans le placard » ajoute 5 M ISK au butin
        [loose-lips] « Langues déliées » révèle une carte de plus
       *[other] { $count ->
            [one] l’événement est { $what }
           *[other] les événements sont { $what }
        }
    }
moved-event-discard-event-deck = les événements défaussés forment une nouvelle pioche des événements
moved-payout-discard = {""}
moved-events-event-discard = {""}
announcement-payout-is = {""}
    .title = Butin
    .begins = { $amount ->
        [0] il n’y a pas de butin
       *[other] le butin est de { $amount } M ISK
    }
announcement-stash-holds = { $seat-is ->
    [you] vous avez
   *[other] { $seat } a
} { $amount ->
    [0] aucune carte
    [1] une carte
   *[other] { $amount } cartes
} en cachette
announcement-game-end = {""}
    .title = Carte de fin
    .begins = { $value-key ->
        [lefleur] la carte de fin de LeFleur termine la partie et élimine les plus honorables
        [paragon] la carte de fin de Paragon termine la partie et élimine les moins honorables, et les suivants à cinq joueurs ou plus
       *[corvid] la carte de fin de Corvid termine la partie et élimine les moins honorables
    }
announcement-deck-empty = {""}
    .title = Pioche vide
    .begins = la pioche { corporation } est vide, ce qui termine la partie et élimine les moins honorables
# Les scores le disent.
announcement-isk-held = {""}
    .title = fortune
announcement-is-eliminated =
    .title = élimination
    .begins = {""}
    .does = { $seat-is ->
        [you] êtes hors jeu
       *[other] est hors jeu
    }
    .many = { $people } { $people-are ->
        [with-you] êtes
       *[many] sont
    } hors jeu

# --- Pièces ---

facet-corporation = Corporation
facet-tier = Niveau
facet-players = Joueurs
facet-value = Valeur
facet-icon = Symbole
value-corvid = Corvid Economics
value-lefleur = LeFleur Digital Media
value-paragon = Paragon Gyromatics
value-honor = honneur
value-event = événement
value-honorable = honorable
value-dishonorable = déloyal
piece-honorable = la face honorable
    .text = Vous partagez le butin du coup. Si quelqu’un de l’équipe est déloyal, vous ne recevez qu’un point d’honneur.
piece-dishonorable = la face déloyale
    .text = Vous cachez une carte, recevez le double du butin et perdez 1 point d’honneur. Si toute l’équipe est déloyale, il n’y a pas de butin.
piece-corvid = Corvid { $value } M ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Ajoute { $value } M ISK à un butin. Dans votre cachette, elle vous donne 1 point d’honneur à la fin.
        [event] Ajoute { $value } M ISK et un événement à un butin.
       *[none] Ajoute { $value } M ISK à un butin.
    }
piece-lefleur = LeFleur { $value } M ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Ajoute { $value } M ISK à un butin. Dans votre cachette, elle vous donne 1 point d’honneur à la fin.
        [event] Ajoute { $value } M ISK et un événement à un butin.
       *[none] Ajoute { $value } M ISK à un butin.
    }
piece-paragon = Paragon { $value } M ISK{ $icon-key ->
    [honor] {" "}({ $icon })
    [event] {" "}({ $icon })
   *[none] {""}
}
    .text = { $icon-key ->
        [honor] Ajoute { $value } M ISK à un butin. Dans votre cachette, elle vous donne 1 point d’honneur à la fin.
        [event] Ajoute { $value } M ISK et un événement à un butin.
       *[none] Ajoute { $value } M ISK à un butin.
    }
piece-corvid-game-end = la carte de fin de Corvid
    .text = Révélée pour un butin, elle termine la partie après le tour : les joueurs qui ont le moins d’honneur sont éliminés. Dans une cachette, elle ne fait rien.
piece-lefleur-game-end = la carte de fin de LeFleur
    .text = Révélée pour un butin, elle termine la partie après le tour : les joueurs qui ont le plus d’honneur sont éliminés. Dans une cachette, elle ne fait rien.
piece-paragon-game-end = la carte de fin de Paragon
    .text = Révélée pour un butin, elle termine la partie après le tour : les joueurs qui ont le moins d’honneur sont éliminés ; à cinq joueurs ou plus, ceux de la valeur suivante aussi. Dans une cachette, elle ne fait rien.
piece-fresh-dirt = Nouveau scandale
    .text = Le butin augmente de 3 M ISK.
piece-damage-control = Gestion de crise
    .text = Le butin baisse de 2 M ISK, jusqu’à 0 au moins.
piece-mother-lode = Filon
    .text = Après tous les autres événements, le butin est doublé.
piece-loose-lips = Langues déliées
    .text = On révèle une carte de plus de la pioche pour le butin. Son symbole d’événement est ignoré.
piece-word-on-the-street = Bruits de couloir
    .text = Si vous êtes du coup et honorable, vous gagnez 1 point d’honneur.
piece-rat-in-the-ranks = Un traître dans les rangs
    .text = Si vous êtes du coup et déloyal, vous perdez 1 point d’honneur.
piece-second-chance = Seconde chance
    .text = Si personne n’a moins d’honneur que vous, vous gagnez 1 point d’honneur.
piece-feet-of-clay = Pieds d’argile
    .text = Si personne n’a plus d’honneur que vous, vous perdez 1 point d’honneur.
piece-finders-fee = Commission
    .text = Si vous menez le coup, vous recevez 3 M ISK.
piece-hush-money = Prix du silence
    .text = Si vous n’êtes pas du coup, vous recevez 2 M ISK.
piece-unforeseen-costs = Frais imprévus
    .text = Si vous êtes du coup et avez des ISK, vous payez 1 M ISK.
piece-loose-change = Petite monnaie
    .text = 2 M ISK s’ajoutent à la pioche de chaque corporation.
piece-pass-it-on = Faites passer
    .text = Si vous avez des ISK, vous payez 1 M ISK au joueur à votre gauche.
piece-friend-in-need = Ami dans le besoin
    .text = Si vous menez le coup, désignez un joueur qui n’en est pas. Ce joueur reçoit 4 M ISK.
piece-fresh-start = Nouveau départ
    .text = Si vous avez 5 points d’honneur ou moins, vous gagnez 1 point d’honneur.
piece-open-books = Comptes publics
    .text = Vous annoncez combien de cartes sont dans votre cachette.
piece-skeletons-in-the-closet = Cadavres dans le placard
    .text = Le butin augmente de 5 M ISK.

# --- Options ---

option-first-seat = Qui mène le premier coup
    .description = Le joueur qui mène le premier coup. Autour d’une table, c’est celui qui a été honorable en dernier.
    .is-random = Le hasard décide

# --- Refus ---

refusal-not-now = pour l’instant, vous ne pouvez que { $asked }
refusal-no-such-seat = cette place n’existe pas dans une partie à { $seats } places
refusal-yourself = on ne conclut pas d’accord avec soi-même
refusal-has-resigned = { $seat-seat } a abandonné et ne conclut plus d’accord
refusal-nothing-paid = un paiement est d’au moins 1 M ISK
refusal-not-in-stash = vous avez { $held } M ISK, pas { $millions } M ISK
refusal-team-size = { $size } joueurs sont du coup, pas { $chosen }
refusal-on-heist = { $seat-seat-is ->
    [you] vous êtes du coup ; désignez un joueur qui n’en est pas
   *[other] { $seat-seat } est du coup ; désignez un joueur qui n’en est pas
}
refusal-another-turn = c’était pour le tour { $meant }, et c’est le tour { $now }
refusal-empty-offer = une offre donne ou demande au moins 1 M ISK
refusal-too-many-offers = { $most } offres par tour suffisent
refusal-no-such-offer = cette offre n’existe plus
refusal-other-terms = l’offre a changé : c’est maintenant { $give ->
    [0] rien
   *[other] { $give } M ISK
} contre { $take ->
    [0] rien
   *[other] { $take } M ISK
}

# --- Comment jouer ---

primer-1 = Le but
    .text =
        Ayez le plus d’ISK à la fin de la partie, et ne soyez pas éliminé à cause de votre honneur. Seuls ceux qui restent en jeu peuvent
        gagner, et c’est le plus souvent trop peu d’honneur qui met hors jeu. Vous commencez avec 7 points d’honneur ; il ne descend jamais
        sous 1 ni ne dépasse 13.
primer-2 = L’équipe
    .text =
        Un joueur mène le coup. Il choisit pour l’équipe la moitié des joueurs, arrondie au-dessus, et n’est pas obligé d’en être.

        Tant que l’équipe n’est pas formée, chacun peut payer un autre joueur, ou proposer et demander des ISK. Vous pouvez parler à tout
        moment, sauf si la partie a été créée sans discussion. Les paiements sont définitifs, et les promesses n’engagent personne. Tout
        le monde voit qui paie qui, mais seuls les deux intéressés voient combien.
primer-3 = La corporation
    .text =
        Le meneur fait ensuite chanter l’une des trois corporations et prend tous les ISK posés sur sa pioche. Les deux autres pioches
        reçoivent 2 M ISK chacune. Plus on s’enfonce dans une pioche, plus ses cartes valent en général.
primer-4 = Le choix
    .text =
        Chaque membre de l’équipe choisit en secret : honorable, pour partager, ou déloyal, pour tricher. Un choix fait est définitif.
        Quand tous ont choisi, tout est révélé.
primer-5 = Le butin
    .text =
        D’abord, chaque membre déloyal pioche la première carte de la pioche, sans que les autres la voient, et la garde. Puis on révèle
        une carte pour chaque membre honorable : la somme de leurs valeurs est le butin. Chaque carte révélée qui porte un symbole
        d’événement fait aussi piocher un événement, qui change le butin ou autre chose.

        - Si tous sont honorables, chacun gagne le butin entier.
        - Si quelqu’un est déloyal, chaque déloyal gagne le double du butin et perd 1 point d’honneur. Les honorables ne gagnent aucun ISK,
          mais 1 point d’honneur chacun.
        - Si tous sont déloyaux, aucune carte n’est révélée : il n’y a rien à gagner, et chacun perd 1 point d’honneur.

        Ensuite, le joueur suivant mène un coup.
primer-6 = La fin
    .text =
        Parmi les dernières cartes de chaque pioche se trouve sa carte de fin. Quand elle est révélée pour un butin, la partie se termine
        après ce tour, et la carte dit qui est hors jeu. Piochée en secret, elle ne fait rien.

        - Celle de Corvid : ceux qui ont le moins d’honneur.
        - Celle de LeFleur : ceux qui ont le plus d’honneur.
        - Celle de Paragon : ceux qui ont les deux plus basses valeurs d’honneur ; à trois ou quatre joueurs, seulement la plus basse.

        La partie se termine aussi après un tour où une pioche s’épuise ; sont alors hors jeu ceux qui ont le moins d’honneur, sauf si
        une carte de fin en décide. Avant d’éliminer qui que ce soit, on retourne toutes les cartes piochées en secret, et chaque symbole
        d’honneur y donne 1 point d’honneur à son propriétaire. Des autres, le plus riche gagne ; à richesse égale, celui qui a le plus
        d’honneur.
