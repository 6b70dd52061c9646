game = R.I.G.S.
    .description = Colonisez une planète parcelle par parcelle, exploitez-la avec des machines, négociez, survivez aux catastrophes et au karma des voisins, et valez le plus après quinze manches.
    .duration = environ 90 minutes
    .difficulty = exigeant

# Les titres des cartes sont entre guillemets, ceux des parcelles non.
named = { $title ->
    [Indemne] Indemne
   *[other] { $back ->
        [plot] { $title }
        [survey] { $title }
        [market] { $title }
       *[other] « { $title } »
    }
}

# Une ressource après « emplacements » et autres : d’autres messages contiennent celui-ci.
of-resource = { $value-key ->
    [energy] d’Énergie
    [supply] de Ravitaillement
    [metal] de Métal
   *[luxury] de Luxe
}

# --- Lieux ---

place-bank = Banque
    .from = de la banque
    .to = dans la banque
    .at = dans la banque
place-works = Atelier de RIGS
    .from = de l’atelier
    .to = dans l’atelier
    .at = dans l’atelier
place-vinnie = Vinnie
    .from = de Vinnie
    .to = chez Vinnie
    .at = chez Vinnie
place-warehouse = Entrepôt
    .from = { $owner-is ->
        [you] de votre entrepôt
        [self] de son entrepôt
       *[other] de l’entrepôt { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre entrepôt
        [self] dans son entrepôt
       *[other] dans l’entrepôt { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre entrepôt
        [self] dans son entrepôt
       *[other] dans l’entrepôt { $owner-whose }
    }
place-purse = Bourse
    .from = { $owner-is ->
        [you] de votre bourse
        [self] de sa bourse
       *[other] de la bourse { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre bourse
        [self] dans sa bourse
       *[other] dans la bourse { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre bourse
        [self] dans sa bourse
       *[other] dans la bourse { $owner-whose }
    }
place-debts = Dettes envers Vinnie
    .from = { $owner-is ->
        [you] de vos dettes
        [self] de ses dettes
       *[other] des dettes { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos dettes
        [self] parmi ses dettes
       *[other] parmi les dettes { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos dettes
        [self] parmi ses dettes
       *[other] parmi les dettes { $owner-whose }
    }
place-wreck = RIGS détruits
    .from = { $owner-is ->
        [you] de vos épaves
        [self] de ses épaves
       *[other] des épaves { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos épaves
        [self] parmi ses épaves
       *[other] parmi les épaves { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos épaves
        [self] parmi ses épaves
       *[other] parmi les épaves { $owner-whose }
    }
place-plot-deck = Pioche des parcelles
    .from = de la pioche des parcelles
    .to = dans la pioche des parcelles
    .at = dans la pioche des parcelles
place-grant = Concession
    .from = de la concession
    .to = dans la concession
    .at = dans la concession
place-owned = Parcelles
    .from = { $owner-is ->
        [you] de vos parcelles
        [self] de ses parcelles
       *[other] des parcelles { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos parcelles
        [self] parmi ses parcelles
       *[other] parmi les parcelles { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos parcelles
        [self] parmi ses parcelles
       *[other] parmi les parcelles { $owner-whose }
    }
place-spots = Emplacements { of-resource }
    .from = des emplacements { of-resource } de { $piece }
    .to = sur les emplacements { of-resource } de { $piece }
    .at = sur les emplacements { of-resource } de { $piece }
place-on = Prospection
    .from = de { $piece }
    .to = { $piece }
    .at = sur { $piece }
place-survey-deck = Pioche des prospections
    .from = de la pioche des prospections
    .to = dans la pioche des prospections
    .at = dans la pioche des prospections
place-disaster-deck = Pioche des catastrophes
    .from = de la pioche des catastrophes
    .to = dans la pioche des catastrophes
    .at = dans la pioche des catastrophes
place-front = Cette manche
    .from = de devant { $owner-is ->
        [self] soi
       *[other] { $owner-them }
    }
    .to = devant { $owner-is ->
        [self] soi
       *[other] { $owner-them }
    }
    .at = devant { $owner-is ->
        [self] soi
       *[other] { $owner-them }
    }
place-disaster-discard = Catastrophes passées
    .from = des catastrophes passées
    .to = parmi les catastrophes passées
    .at = parmi les catastrophes passées
place-karma-deck = Pioche du karma
    .from = de la pioche du karma
    .to = dans la pioche du karma
    .at = dans la pioche du karma
place-hand = Main de karma
    .from = { $owner-is ->
        [you] de votre main
        [self] de sa main
       *[other] de la main { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre main
        [self] dans sa main
       *[other] dans la main { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre main
        [self] dans sa main
       *[other] dans la main { $owner-whose }
    }
place-in-play = Karma en jeu
    .from = { $owner-is ->
        [you] de vos cartes en jeu
        [self] de ses cartes en jeu
       *[other] des cartes en jeu { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos cartes en jeu
        [self] parmi ses cartes en jeu
       *[other] parmi les cartes en jeu { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos cartes en jeu
        [self] parmi ses cartes en jeu
       *[other] parmi les cartes en jeu { $owner-whose }
    }
place-awaited = Karma de la prochaine manche
    .from = { $owner-is ->
        [you] de vos cartes attendues
        [self] de ses cartes attendues
       *[other] des cartes attendues { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos cartes attendues
        [self] parmi ses cartes attendues
       *[other] parmi les cartes attendues { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos cartes attendues
        [self] parmi ses cartes attendues
       *[other] parmi les cartes attendues { $owner-whose }
    }
place-stage = { $number ->
    [1] Carte karma jouée
   *[other] Réponse { $number }
}
    .from = de la scène
    .to = sur la scène
    .at = sur la scène
place-karma-discard = Défausse du karma
    .from = de la défausse du karma
    .to = dans la défausse du karma
    .at = dans la défausse du karma
place-recycled = Sur le Recyclage
    .from = du Recyclage
    .to = sur le Recyclage
    .at = sur le Recyclage
place-parts = Sur le Magasin de pièces
    .from = du Magasin de pièces
    .to = sur le Magasin de pièces
    .at = sur le Magasin de pièces
place-market-deck = Pioche du marché
    .from = de la pioche du marché
    .to = dans la pioche du marché
    .at = dans la pioche du marché
place-price = Prix d’un Luxe
    .from = du prix
    .to = sur le prix
    .at = sur le prix
place-market-discard = Prix passés
    .from = des prix passés
    .to = parmi les prix passés
    .at = parmi les prix passés
place-end-market-deck = Pioche du marché final
    .from = de la pioche du marché final
    .to = dans la pioche du marché final
    .at = dans la pioche du marché final
place-value = Valeur des parcelles { $value }
    .from = de la valeur des parcelles { $value }
    .to = sur la valeur des parcelles { $value }
    .at = sur la valeur des parcelles { $value }
place-notes = Crédits notés
    .from = { $other-is ->
        [you] de vos crédits
       *[other] des crédits { $other-whose }
    }
    .to = { $other-is ->
        [you] vos crédits
       *[other] les crédits { $other-whose }
    }
    .at = { $other-is ->
        [you] vos crédits
       *[other] les crédits { $other-whose }
    }
    .with-other = Crédits notés : { $other-them }
place-notepad = Bloc-notes
    .from = du bloc-notes
    .to = sur le bloc-notes
    .at = sur le bloc-notes

# --- Pièces de monnaie et dos ---

coin-unit = { $value }
    .help = { $value-key ->
        [energy] Alimente les parcelles : une unité par parcelle et par manche.
        [supply] Paie le déplacement des RIGS et les prospections.
        [metal] Deux unités construisent un RIGS.
       *[luxury] Se vend au marché, et nulle part ailleurs.
    }
    .amount = { $amount } { $value }
    .some = quelques unités { of-resource }
coin-credit = Crédits
    .help = De l’argent. Qui vaut le plus de crédits à la fin gagne.
    .amount = { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    }
    .some = quelques crédits
coin-rig = RIGS
    .help = Une machine : sur un emplacement d’une parcelle en marche, elle produit une unité par manche.
    .amount = { $amount } RIGS
    .some = quelques RIGS
coin-script = Bon ({ $value })
    .help = Une dette envers Vinnie : elle se rembourse par deux unités { of-resource }, ou par quatre à la fin.
    .amount = { $amount ->
        [one] { $amount } bon { of-resource }
       *[other] { $amount } bons { of-resource }
    }
    .some = quelques bons { of-resource }
coin-counted = Crédits notés
    .help = Les crédits d’une autre place, au moment où ils ont été vus.
    .amount = { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    }
    .some = quelques crédits
back-plot = Parcelle
    .counted = { $count ->
        [1] une parcelle
       *[other] { $count } parcelles
    }
back-survey = Prospection
    .counted = { $count ->
        [1] une prospection
       *[other] { $count } prospections
    }
back-disaster = Catastrophe
    .counted = { $count ->
        [1] une catastrophe
       *[other] { $count } catastrophes
    }
back-karma = Karma
    .counted = { $count ->
        [1] une carte karma
       *[other] { $count } cartes karma
    }
back-market = Marché
    .counted = { $count ->
        [1] une carte de marché
       *[other] { $count } cartes de marché
    }

# --- Ce qui bouge ---

# Le chef prend une parcelle de la concession.
moved-revealed = { $seat-is ->
    [you] prenez { $what } de la concession
   *[other] prend { $what } de la concession
}
moved-taken = { $verb ->
    [accept] { $seat-is ->
        [you] recevez { $what } { $giver-whose }
       *[other] reçoit { $what } { $giver-whose }
    }
   *[other] { $seat-is ->
        [you] prenez { $what } { $from }
       *[other] prend { $what } { $from }
    }
}
moved-given = { $verb ->
    [pass] { $seat-is ->
        [you] perdez { $what } au profit { $taker-whose }
       *[other] { $taker-is ->
            [you] perd { $what } à votre profit
           *[other] perd { $what } au profit { $taker-whose }
        }
    }
   *[other] { $acting ->
        [yes] { $seat-is ->
            [you] donnez { $what } { $taker-to }
           *[other] { $taker-is ->
                [you] vous donne { $what }
               *[other] donne { $what } { $taker-to }
            }
        }
       *[no] { $seat-is ->
            [you] perdez { $what } au profit { $taker-whose }
           *[other] { $taker-is ->
                [you] perd { $what } à votre profit
               *[other] perd { $what } au profit { $taker-whose }
            }
        }
    }
}
moved-plot-deck-grant = { $seat-is ->
    [you] piochez { $what } pour la concession
   *[other] pioche { $what } pour la concession
}
# « Sur » une parcelle n’est ici que son titre.
moved-survey-deck-on = on prospecte { $to } : { $what }
    .does = { $seat-is ->
        [you] prospectez { $to } : { $what }
       *[other] prospecte { $to } : { $what }
    }
moved-on-on = la prospection de { $to } montre à présent : { $what }
moved-on-survey-deck = la prospection { $at } retourne dans la pioche des prospections
moved-disaster-deck-front = { $what ->
    [Indemne] { $seat-is ->
        [you] restez indemne
       *[other] reste indemne
    }
   *[other] { $seat-is ->
        [you] recevez { $what }
       *[other] reçoit { $what }
    }
}
moved-front-disaster-discard = {""}
moved-disaster-discard-disaster-deck = les catastrophes passées sont mélangées en une nouvelle pioche
moved-karma-deck-hand = { $seat-is ->
    [you] piochez { $what }
   *[other] pioche { $what }
}
moved-karma-discard-karma-deck = la défausse du karma est mélangée en une nouvelle pioche
moved-hand-karma-discard = { $verb ->
    [play] { $first ->
        [yes] { $seat-is ->
            [you] jouez { $what }
           *[other] joue { $what }
        }
       *[no] { $seat-is ->
            [you] défaussez { $what }
           *[other] défausse { $what }
        }
    }
   *[other] { $seat-is ->
        [you] défaussez { $what }
       *[other] défausse { $what }
    }
}
moved-hand-stage = { $seat-is ->
    [you] jouez { $what }
   *[other] joue { $what }
}
moved-hand-in-play = { $seat-is ->
    [you] mettez { $what } en jeu
   *[other] met { $what } en jeu
}
moved-hand-front = { $seat-is ->
    [you] jouez { $what }
   *[other] joue { $what }
}
moved-hand-price = { $seat-is ->
    [you] jouez { $what }
   *[other] joue { $what }
}
moved-hand-on = { $seat-is ->
    [you] jouez { $what } sur { $to }
   *[other] joue { $what } sur { $to }
}
moved-stage-front = { $seat-is ->
    [you] subissez { $what }
   *[other] subit { $what }
}
moved-stage-on = { $what } prend effet sur { $to }
moved-stage-hand = { $seat-is ->
    [you] récupérez { $what }
   *[other] récupère { $what }
}
moved-stage-awaited = { $seat-is ->
    [you] recevrez { $what } au début de la prochaine manche
   *[other] recevra { $what } au début de la prochaine manche
}
moved-awaited-hand = « Usurpation d’identité » arrive { $to }
moved-stage-karma-discard = {""}
moved-in-play-karma-discard = { $seat-is ->
    [you] défaussez { $what }
   *[other] défausse { $what }
}
moved-front-karma-discard = {""}
moved-on-karma-discard = {""}
moved-price-karma-discard = {""}
# L’annonce du prix, ou de la valeur, le dit.
moved-market-deck-price = {""}
moved-price-market-discard = {""}
moved-end-market-deck-market-deck = {""}
moved-end-market-deck-value = {""}

# --- Ce qui se paie, se produit et se perd ---

paid-taken-from = { $verb ->
    [accept] { $seat-is ->
        [you] recevez { $what } { $giver-whose }
       *[other] reçoit { $what } { $giver-whose }
    }
    [pass] { $seat-is ->
        [you] recevez { $what } { $giver-whose }
       *[other] reçoit { $what } { $giver-whose }
    }
   *[other] { $seat-is ->
        [you] prenez { $what } { $giver-to }
       *[other] { $giver-is ->
            [you] vous prend { $what }
           *[other] prend { $what } { $giver-to }
        }
    }
}
paid-to = { $seat-is ->
    [you] donnez { $what } { $taker-to }
   *[other] { $taker-is ->
        [you] vous donne { $what }
       *[other] donne { $what } { $taker-to }
    }
}
paid-unit-bank-warehouse = { $verb ->
    [borrow] { $seat-is ->
        [you] empruntez { $what } à Vinnie
       *[other] emprunte { $what } à Vinnie
    }
   *[other] { $phase ->
        [production] { $seat-is ->
            [you] produisez { $what }
           *[other] produit { $what }
        }
       *[other] { $seat-is ->
            [you] recevez { $what }
           *[other] reçoit { $what }
        }
    }
}
paid-unit-warehouse-bank = { $verb ->
    [move] {""}
    [survey] {""}
    [build] { $seat-is ->
        [you] payez { $what }
       *[other] paie { $what }
    }
    [repay] { $seat-is ->
        [you] payez { $what } à Vinnie
       *[other] paie { $what } à Vinnie
    }
    [sell] { $seat-is ->
        [you] vendez { $what }
       *[other] vend { $what }
    }
   *[other] { $phase ->
        [production] { $seat-is ->
            [you] dépensez { $what } pour alimenter
           *[other] dépense { $what } pour alimenter
        }
       *[other] { $seat-is ->
            [you] perdez { $what }
           *[other] perd { $what }
        }
    }
}
paid-unit-warehouse-stage = { $seat-is ->
    [you] misez { $what }
   *[other] mise { $what }
}
paid-unit-stage-warehouse = { $seat-is ->
    [you] recevez { $what }
   *[other] reçoit { $what }
}
paid-script-bank-vinnie = {""}
# Ce qui est emprunté, et ce qui le rembourse, le dit.
paid-script-vinnie-debts = {""}
paid-script-debts-vinnie = { $seat-is ->
    [you] soldez { $what }
   *[other] solde { $what }
}
paid-rig-bank-works = {""}
paid-rig-works-warehouse = { $amount ->
    [1] { $seat-is ->
        [you] recevez un nouveau RIGS
       *[other] reçoit un nouveau RIGS
    }
   *[other] { $seat-is ->
        [you] recevez { $what }
       *[other] reçoit { $what }
    }
}
paid-rig-warehouse-spots = { $seat-is ->
    [you] déplacez { $what } { $from } { $to }
   *[other] déplace { $what } { $from } { $to }
}
paid-rig-spots-warehouse = { $verb ->
    [move] { $seat-is ->
        [you] déplacez { $what } { $from } { $to }
       *[other] déplace { $what } { $from } { $to }
    }
   *[other] { $seat-is ->
        [you] récupérez { $what } { $from }
       *[other] récupère { $what } { $from }
    }
}
paid-rig-spots-spots = { $what } { $amount ->
    [one] passe
   *[other] passent
} { $from } { $to }
    .does = { $seat-is ->
        [you] déplacez { $what } { $from } { $to }
       *[other] déplace { $what } { $from } { $to }
    }
paid-rig-spots-wreck = { $seat-is ->
    [you] perdez { $what } { $from }
   *[other] perd { $what } { $from }
}
paid-rig-warehouse-wreck = { $seat-is ->
    [you] perdez { $what } { $from }
   *[other] perd { $what } { $from }
}
paid-rig-wreck-works = {""}
paid-rig-wreck-recycled = { $seat-is ->
    [you] posez { $what } sur le Recyclage
   *[other] pose { $what } sur le Recyclage
}
paid-rig-wreck-parts = { $seat-is ->
    [you] posez { $what } sur le Magasin de pièces
   *[other] pose { $what } sur le Magasin de pièces
}
paid-rig-recycled-works = {""}
paid-rig-parts-works = { $amount ->
    [one] { $what } s’y perd
   *[other] { $what } s’y perdent
}
paid-rig-parts-warehouse = { $seat-is ->
    [you] récupérez { $what } du Magasin de pièces
   *[other] récupère { $what } du Magasin de pièces
}
paid-counted-notepad-notes = { $seat-is ->
    [you] voyez { $to }
   *[other] voit { $to }
}
paid-counted-notes-notepad = {""}
# Un tour n’en suit un autre du même joueur qu’au début d’une manche.
turn-again = { $seat-is ->
    [you] Vous avez le premier tour
   *[other] { $seat } a le premier tour
}
# Il n’y a de tours que dans la phase des joueurs.
table-turn = { $phase ->
    [player] { $seat-is ->
        [you] c’est votre tour
       *[other] c’est au tour { $seat-whose }
    }
   *[other] {""}
}
offer-closed = { $verb ->
    [accept] {""}
    [withdraw] {""}
    [offer] {""}
   *[other] { $seat-is ->
        [you] votre offre
       *[other] l’offre { $seat-whose }
    } n’est plus sur la table
}

# --- Marqueurs ---

mark-leader = Chef d’expédition
    .help = Le chef d’expédition : il a le premier tour et la première parcelle d’une concession, et distribue les catastrophes.
mark-land-moved = Des terres ont changé de mains
    .help = Une parcelle a changé de mains depuis que le chef d’expédition a été désigné.
mark-ready = Prêt
    .help = N’a plus rien à faire pour l’instant.
mark-dealt = Servi
    .help = Dans une concession, 1 si la parcelle est piochée. Dans la phase des catastrophes, 1 si la catastrophe rapporte encore une carte karma, 2 une fois qu’elle est résolue.
mark-borrowed = Emprunts de cette phase
    .help = Les unités que Vinnie a prêtées dans cette phase ; au plus une par parcelle.
mark-tinkered = Magasin de pièces utilisé
    .help = On a lancé le dé pour le Magasin de pièces de cette manche.
mark-due = Encore dus
    .help = Combien de RIGS, de cartes karma ou d’unités restent à perdre, à défausser ou à gagner.
mark-powered = Alimentée
    .help = La parcelle reçoit de l’Énergie cette manche.
marked-powered = { $verb ->
    [power] { $amount ->
        [0] { $piece } ne reçoit pas d’Énergie
       *[other] { $piece } reçoit de l’Énergie
    }
   *[other] {""}
}
mark-last-called = Le Dernier appel a été lancé
    .help = La production est posée ; seul le karma peut encore la changer.
mark-sent-to = La production détournée va à
    .help = Qui reçoit ce que produit cette manche la parcelle visée par « Vous l’avez envoyé OÙ ?! ».
marked-sent-to = { $now-key ->
    [none] {""}
   *[other] ce qu’elle produit va { $now-to }
}
mark-lost = Dernière perte { of-resource }
    .help = Les unités de la dernière perte due à une Catastrophe, une Destruction ou un Sabotage.
mark-lost-karma = Dernière perte de karma
    .help = Les cartes karma de la dernière perte, si c’en était une de cartes.
mark-lost-both = Perdus ensemble
    .help = Ces cartes karma et ces unités ont été perdues en même temps.
mark-worth = Valeur : { $value }
    .help = Ce que vaut une unité à la fin, en crédits.
mark-by = { $number ->
    [1] Jouée par
   *[other] Réponse { $number } de
}
    .help = Qui a joué la carte karma à cette position de la scène.
mark-victim = { $number ->
    [1] Jouée contre
   *[other] Réponse { $number } contre
}
    .help = Sur qui elle est jouée.
mark-aimed = { $number ->
    [1] Jouée sur
   *[other] Réponse { $number } sur
}
    .help = La parcelle sur laquelle elle est jouée.
mark-aimed-too = { $number ->
    [1] Jouée aussi sur
   *[other] Réponse { $number } aussi sur
}
    .help = L’autre parcelle sur laquelle elle est jouée.
mark-sort = { $number ->
    [1] Jouée pour
   *[other] Réponse { $number } pour
}
    .help = La ressource pour laquelle elle est jouée.
mark-guarded = Garde lancée
    .help = Des cartes en jeu dont le dé est lancé contre le Sabotage : 1 si elles n’ont pas aidé, 2 si elles ont aidé.
mark-offers = Offres faites
    .help = Les offres faites dans ce tour ou cette phase.
mark-unreadied = Pas prêt, finalement
    .help = Combien de fois l’on a cessé d’être prêt dans cette phase.
mark-shows = Montré
    .help = Combien de fois des cartes ou des crédits ont été montrés dans ce tour ou cette phase.
mark-touched = Concerné
    .help = Quelque chose est arrivé à cette place depuis qu’elle était prête ou qu’elle a passé.
mark-unrolled = Encore à miser : { $value }
    .help = Les unités que l’on peut encore miser à la Soirée poker : possédées quand elle a été jouée, et pas encore jouées au dé.

# --- Décisions ---

decision-grant = prendre une parcelle de la concession
decision-grant-to = désigner qui pioche la parcelle suivante
decision-turn = jouer son tour : construire, déplacer, prospecter, négocier, jouer du karma, ou se dire prêt
decision-interrupt = jouer du karma, ou négocier
decision-discard = défausser jusqu’à cinq cartes karma
decision-deal = désigner qui reçoit la catastrophe suivante
decision-exchange = décider d’échanger ou non une carte karma
decision-lose-rigs = choisir un RIGS à perdre
decision-produce = choisir les parcelles à alimenter, ou se dire prêt
decision-call-last = lancer le Dernier appel
decision-final = décider de jouer ou non du karma sur cette production
decision-readjust = choisir de nouveau les parcelles à alimenter
decision-draw = désigner qui pioche la carte de marché
decision-sell = décider de vendre ou non du Luxe
decision-react = décider de répondre ou non au Sabotage
decision-give-decoy = décider comment parer le vol d’une carte karma
decision-take-card = prendre une carte de la main ouverte
decision-discard-theirs = défausser une carte de la main ouverte
decision-throw = choisir les ressources à perdre
decision-match = défausser une carte karma, pour égaler la perte
decision-gain = choisir les ressources à gagner
decision-salvage = choisir la carte qui prend un RIGS perdu
decision-send = choisir où va le prochain RIGS de la parcelle
decision-new-owner = désigner le nouveau propriétaire de la parcelle
decision-share = désigner qui reçoit l’unité suivante
decision-robbed = piocher trois cartes karma, ou attendre la carte du voleur
decision-raise = décider de miser ou non d’autres ressources
decision-trade-in = décider d’échanger ou non une carte contre un RIGS
decision-retrieve = décider de reprendre ou non un RIGS du Magasin de pièces

# --- Actions ---

verb-grant = Concession
    .help = Prend une parcelle de la concession. Les autres piochent la leur, dans l’ordre nommé s’il y en a un.
    .label = Prendre { $plot } de la concession{ $order-count ->
        [0] {""}
       *[other] , puis faire piocher dans l’ordre : { $order }
    }
    .short = { $plot }{ $order-count ->
        [0] {""}
       *[other] , puis { $order }
    }
verb-name = Désigner
    .help = Désigne un joueur : le prochain à piocher ou à être servi, ou celui qui reçoit quelque chose.
    .label = { $seat-seat-is ->
        [you] Vous désigner
       *[other] Désigner { $seat-seat-them }
    }
    .does = {""}
verb-build = Construire
    .help = Construit un RIGS pour deux Métal.
    .label = Construire un RIGS pour 2 Métal
verb-move = Déplacer
    .help = Déplace un RIGS pour un Ravitaillement.
    .label = Déplacer un RIGS : { $from } → { $to }
    .short = { $from } → { $to }
verb-survey = Prospecter
    .help = Prospecte une parcelle pour un Ravitaillement.
    .label = Prospecter { $plot }
verb-borrow = Emprunter
    .help = Emprunte une unité à Vinnie, à rembourser en double.
    .label = Emprunter 1 { $resource } à Vinnie
verb-repay = Rembourser
    .help = Paie à Vinnie deux unités pour un bon.
    .label = Rembourser 1 bon ({ $resource }) avec 2 { $resource }
    .short = Rembourser 1 bon ({ $resource })
verb-offer = Proposer
    .help = Propose un marché ; votre offre précédente est retirée.
    .label = Proposer { $to-seat-to } { $give } contre { $take }
    .short = { $to-seat-them } : { $give } → { $take }
verb-withdraw = Retirer l’offre
    .help = Retire votre propre offre.
    .label = Retirer votre offre
    .does = { $seat-is ->
        [you] retirez l’offre
       *[other] retire l’offre
    }
verb-accept = Accepter
    .help = Accepte une offre ; elle est réglée aussitôt.
    .label = Accepter l’offre { $by-seat-whose }
    .does = { $seat-is ->
        [you] acceptez le marché
       *[other] accepte le marché
    }
verb-refuse = Refuser
    .help = Refuse une offre.
    .label = Refuser l’offre { $by-seat-whose }
    .does = { $seat-is ->
        [you] refusez
       *[other] refuse
    }
verb-play = Jouer
    .help = Joue une carte karma.
    .label = Jouer { $card }{ $aim ->
        [seat] {" "}contre { $seat-seat-them }
        [plot] {" "}sur { $plot }
        [plots] {" "}sur { $plots }
        [resource] {" "}pour { $resource }
        [spots] {" "}sur { $spots }
        [swap] {" : "}{ $swap }
        [stake] {" "}et miser { $stake }
        [loss] {" "}{ $loss }
       *[none] {""}
    }
    .short = { $card }{ $aim ->
        [seat] {" : "}{ $seat-seat-them }
        [plot] {" : "}{ $plot }
        [plots] {" : "}{ $plots }
        [resource] {" : "}{ $resource }
        [spots] {" : "}{ $spots }
        [swap] {" : "}{ $swap }
        [stake] {" : "}{ $stake }
        [loss] {" "}{ $loss }
       *[none] {""}
    }
verb-cash = Encaisser
    .help = Défausse le Recyclage pour un Métal par RIGS posé dessus.
    .label = Défausser le Recyclage pour du Métal
verb-tinker = Bricoler
    .help = Lance le dé pour un RIGS du Magasin de pièces.
    .label = Lancer le dé pour le Magasin de pièces
    .does = { $seat-is ->
        [you] essayez le Magasin de pièces
       *[other] essaie le Magasin de pièces
    }
verb-discard = Défausser
    .help = Défausse une carte karma.
    .label = Défausser { $card }
verb-take = Prendre
    .help = Prend une carte karma d’une autre main.
    .label = Prendre { $card }
verb-salvage = Récupérer
    .help = Choisit la carte en jeu sur laquelle va un RIGS perdu.
    .label = Poser un RIGS perdu sur { $card }
verb-lose = Perdre
    .help = Perd un RIGS.
    .label = Perdre un RIGS : { $from }
verb-throw = Jeter
    .help = Choisit les ressources à perdre.
    .label = Perdre { $units }
verb-gain = Gagner
    .help = Reçoit des ressources de votre choix.
    .label = Recevoir { $units }
verb-send = Envoyer
    .help = Choisit où va un RIGS.
    .label = Envoyer le RIGS : { $to }
verb-draw-three = Piocher trois cartes
    .help = Pioche trois cartes karma après Usurpation d’identité.
    .label = Piocher trois cartes karma
verb-receive = Recevoir
    .help = Reçoit Usurpation d’identité au début de la prochaine manche.
    .label = Recevoir « Usurpation d’identité » à la prochaine manche
    .short = Attendre Usurpation d’identité
verb-power = Alimenter
    .help = Choisit quelles parcelles reçoivent de l’Énergie.
    .label = { $plots-count ->
        [0] N’alimenter aucune parcelle
       *[other] Alimenter { $plots }
    }
verb-last-call = Dernier appel
    .help = Lance le Dernier appel.
    .label = Lancer le Dernier appel
verb-sell = Vendre
    .help = Vend du Luxe au prix de la manche.
    .label = Vendre { $amount } Luxe
verb-ready = Prêt
    .help = N’a plus rien à faire dans ce tour ou cette phase.
    .label = Se dire prêt
    .does = { $seat-is ->
        [you] gardez cette disposition
       *[other] garde cette disposition
    }
verb-unready = Pas prêt
    .help = Cesse d’être prêt.
    .label = Ne plus être prêt
verb-pass = Passer
    .help = Ne fait rien.
    .label = Passer
    .does = { $seat-is ->
        [you] passez
       *[other] passe
    }
verb-raise = Relancer
    .help = Mise d’autres ressources à la Soirée poker.
    .label = Miser aussi { $units }
verb-show = Montrer
    .help = Montre des cartes karma ou des crédits à certains joueurs ou à tous.
    .label = Montrer { $cards-count ->
        [0] vos crédits
       *[other] { $cards }{ $credits ->
            [yes] {" "}et vos crédits
           *[no] {""}
        }
    } à { $to-count ->
        [0] tous
       *[other] { $to }
    }
    .does = { $seat-is ->
        [you] étalez des cartes sur la table
       *[other] étale des cartes sur la table
    }
verb-claim = Réclamer
    .help = Prend le RIGS qu’une carte karma en jeu rapporte.
    .label = Prendre le RIGS
verb-series = Plusieurs réponses
    .help = Répond plusieurs fois d’un coup à la même question, dans l’ordre.
    .label = Dans cet ordre : { $answers }
    .short = { $answers }
    .does = {""}

part-location = { $at ->
    [warehouse] { $warehouse-seat-is ->
        [you] entrepôt
       *[other] entrepôt { $warehouse-seat-whose }
    }
   *[spot] { $spot }
}
part-spot = { $resource } ({ $plot })
part-plots = { $plot } et { $other }
part-swap = { $give } contre { $take }
part-loss = contre { $victim-seat-them }{ $units ->
    [rien] { $cards-count ->
        [0] , pour votre dernière perte
       *[other] , en défaussant { $cards }
    }
   *[other] , en cédant { $units }{ $cards-count ->
        [0] {""}
       *[other] {" "}et en défaussant { $cards }
    }
}
part-bundle =
    .units = { $units }
    .credits = { $credits ->
        [one] { $credits } crédit
       *[other] { $credits } crédits
    }
    .plots = { $plots }
    .rigs = { $rigs } RIGS
    .scripts = bons : { $scripts }
part-resources =
    .energy = { $energy } Énergie
    .supply = { $supply } Ravitaillement
    .metal = { $metal } Métal
    .luxury = { $luxury } Luxe

# --- Annonces ---

# L’événement de la phase le dit.
announcement-begins = {""}
announcement-leads =
    .does = { $seat-is ->
        [you] devenez chef d’expédition
       *[other] devient chef d’expédition
    }
announcement-is-ready =
    .does = { $seat-is ->
        [you] vous dites prêt
       *[other] se dit prêt
    }
announcement-is-not-ready =
    .does = { $seat-is ->
        [you] n’êtes finalement pas prêt
       *[other] n’est finalement pas prêt
    }
announcement-last-call =
    .sentence = Le Dernier appel est lancé
announcement-unaffected =
    .does = { $seat-is ->
        [you] y échappez
       *[other] y échappe
    }
announcement-averted = le Sabotage échoue
announcement-taken-over =
    .does = { $seat-is ->
        [you] reprenez le Sabotage à votre compte
       *[other] reprend le Sabotage à son compte
    }
announcement-returned =
    .does = { $seat-is ->
        [you] ne jouez plus de Sabotage cette manche
       *[other] ne joue plus de Sabotage cette manche
    }
announcement-wasted =
    .does = { $seat-is ->
        [you] ne pouvez pas stocker { $amount } Énergie
       *[other] ne peut pas stocker { $amount } Énergie
    }
announcement-price =
    .sentence = Le Luxe se vend { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    } l’unité
announcement-land-value =
    .sentence = Chaque parcelle { $value } vaut { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    }
announcement-unit-value =
    .sentence = Chaque unité { of-resource } vaut { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    }
# Les scores disent ce que vaut chaque joueur, part par part.
announcement-plots-worth = {""}
    .title = parcelles
announcement-stock-worth = {""}
    .title = ressources
announcement-credits-held = {""}
    .title = crédits
announcement-owes = {""}
    .title = dettes
announcement-on-seat =
    .adds = contre { $seat-them }
announcement-on-plot =
    .adds = sur { $piece }
announcement-on-resource =
    .adds = pour { $value }
announcement-powers =
    .does = { $amount ->
        [0] { $seat-is ->
            [you] n’alimentez aucune parcelle
           *[other] n’alimente aucune parcelle
        }
        [one] { $seat-is ->
            [you] alimentez { $amount } parcelle
           *[other] alimente { $amount } parcelle
        }
       *[other] { $seat-is ->
            [you] alimentez { $amount } parcelles
           *[other] alimente { $amount } parcelles
        }
    }
announcement-price-for-seat =
    .sentence = { $seat-is ->
        [you] Vous vendez
       *[other] { $seat } vend
    } chaque Luxe { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    } cette manche
announcement-shows-credits =
    .does = { $seat-is ->
        [you] montrez
       *[other] montre
    } à tous { $amount ->
        [one] { $amount } crédit
       *[other] { $amount } crédits
    }

phase-player = Joueurs
phase-disaster = Catastrophes
phase-production = Production
phase-market = Marché

# --- Facettes et valeurs ---

facet-land = Terrain
facet-energy = Emplacements d’Énergie
facet-supply = Emplacements de Ravitaillement
facet-metal = Emplacements de Métal
facet-luxury = Emplacements de Luxe
facet-end-market-cards = Cartes du marché final
facet-kind = Genre
facet-played-in = Se joue en
facet-target = Cible
facet-class = Classe
facet-value = Valeur
value-energy = Énergie
value-supply = Ravitaillement
value-metal = Métal
value-luxury = Luxe
value-plains = Plaine
value-valley = Vallée
value-forest = Forêt
value-desert = Désert
value-ridge = Crête
value-destruction = Destruction
value-sabotage = Sabotage
value-wealth = Richesse
value-protection = Protection
value-player = Phase des joueurs
value-disaster = Phase des catastrophes
value-production = Phase de production
value-last-call = Dernier appel
value-market = Phase du marché
value-reaction = En réponse
value-one = Une victime
value-many = Plusieurs joueurs
value-all = Tout le monde
value-self = Vous-même
value-special = Le prix de tous
value-karma-card = Une carte karma
value-low = Bas
value-normal = Normal
value-high = Haut
value-spike = Pic

# --- Parcelles, prospections et cartes de marché ---

piece-plains = Plaine { $copy }
    .text = Emplacements : { $energy } d’Énergie, { $supply } de Ravitaillement ou { $metal } de Métal. Vaut une carte du marché final.
piece-valley = Vallée { $copy }
    .text = Emplacements : { $energy } d’Énergie, { $supply } de Ravitaillement ou { $metal } de Métal. Vaut une carte du marché final.
piece-forest = Forêt { $copy }
    .text = Emplacements : { $energy } d’Énergie, { $supply } de Ravitaillement ou { $metal } de Métal. Vaut deux cartes du marché final.
piece-desert = Désert { $copy }
    .text = Emplacements : { $energy } d’Énergie, { $supply } de Ravitaillement ou { $metal } de Métal. Vaut deux cartes du marché final.
piece-ridge = Crête { $copy }
    .text = Emplacements : { $energy } d’Énergie, { $supply } de Ravitaillement ou { $metal } de Métal. Vaut deux cartes du marché final.
piece-0-yield-survey = aucun emplacement de Luxe
piece-1-yield-survey = 1 emplacement de Luxe
piece-2-yield-survey = 2 emplacements de Luxe
piece-3-yield-survey = 3 emplacements de Luxe
piece-market-low = Marché bas { $value }
piece-market-normal = Marché normal { $value }
piece-market-high = Marché haut { $value }
piece-market-spike = Marché au plus haut { $value }

# --- Catastrophes ---

piece-safe = Indemne
    .text = Rien ne se passe. Vous pouvez échanger une carte karma.
piece-unexpected-spoilage = Denrées avariées
    .text = Vous perdez la moitié de votre Ravitaillement, arrondie au-dessus ; si vous n’en avez pas, un RIGS. Vous piochez une carte karma.
piece-massive-solar-flare = Énorme éruption solaire
    .text = Vous perdez toute votre Énergie ; si vous n’en avez pas, un RIGS. Vous piochez une carte karma.
piece-out-in-the-acid-rain = Sous la pluie (acide) !
    .text = Vous perdez la moitié de votre Métal, arrondie au-dessus ; si vous n’en avez pas, un RIGS. Vous piochez une carte karma.
piece-raid = Razzia !
    .text = Vous perdez tout votre Luxe. Si vous en aviez, vous piochez une carte karma.
piece-solar-eclipse = Éclipse solaire !
    .text = Vos parcelles Désert ne produisent pas d’Énergie cette manche ; si vous n’avez pas de telle parcelle, vous perdez un RIGS. Vous piochez une carte karma.
piece-seasonal-hell = Saison infernale
    .text = Un seul RIGS travaille sur chacune de vos parcelles Vallée cette manche ; si vous n’avez pas de telle parcelle, vous perdez un RIGS. Vous piochez une carte karma.
piece-theft = Vol !
    .text = Vous perdez la moitié de votre Luxe, arrondie au-dessus. Si vous en aviez, vous piochez une carte karma.
piece-corrosive-cloud = Nuage corrosif !
    .text = Vous perdez tout votre Métal ; si vous n’en avez pas, un RIGS. Vous piochez une carte karma.
piece-infestation = Infestation !
    .text = Vos parcelles ne produisent pas de Ravitaillement cette manche ; si vous n’y avez aucun RIGS, vous perdez un RIGS. Vous piochez une carte karma.
piece-battery-failure = Panne de batterie
    .text = Vous perdez toute votre Énergie. Si vous en aviez, vous piochez une carte karma.
piece-battery-charger-failure = Panne de chargeur
    .text = L’Énergie que vous produisez cette manche sans l’utiliser est perdue. Si vous avez des RIGS sur l’Énergie, vous piochez une carte karma.
piece-energy-junction-failure = Panne de jonction
    .text = L’Énergie que vous produisez cette manche n’alimente aucune parcelle. Si vous avez des RIGS sur l’Énergie, vous piochez une carte karma.

# --- Karma : Destruction ---

piece-missing-support = Assistance “perdue”
    .text = Votre victime perd un RIGS de votre choix.
piece-bad-os-revision = Mauvaise mise à jour
    .text = Votre victime perd la moitié de ses RIGS, arrondie au-dessus, et pioche deux cartes karma.
piece-wrong-manual = Mauvais manuel
    .text = Votre victime perd un RIGS de son choix.
piece-eye-for-an-eye = Œil pour œil
    .text = Une carte au hasard de la main de karma de votre victime est défaussée.
piece-not-that-one = Pas CELLE-LÀ
    .text = Vous regardez la main de karma de votre victime et en défaussez une carte.
piece-i-aint-going-alone = Je ne tomberai pas seul
    .text = Votre victime perd les mêmes ressources, ou autant de cartes karma, que vous à votre dernière perte, dans la mesure où elle en a. Vous pouvez plutôt en défausser maintenant, à égaler.
piece-accidental-dumping = Largage “accidentel”
    .text = Votre victime perd tout le Luxe de son entrepôt.
piece-left-the-light-on = Lumière restée allumée
    .text = Votre victime perd la moitié de l’Énergie de son entrepôt, arrondie au-dessus.
piece-da-roof-is-on-fire = Y a l’feu au toit !
    .text = Votre victime perd toutes les ressources de son entrepôt, et pioche une carte karma par dizaine entamée.
piece-rough-storm = Grosse tempête
    .text = Chacun lance le dé, vous aussi : un 6 est sans effet ; qui fait moins perd autant de ressources, ou toutes s’il en manque, et pioche une carte karma s’il en a perdu.
piece-blowout = Explosion !
    .text = Votre victime perd tous les RIGS d’une parcelle de votre choix, et pioche une carte karma.

# --- Karma : Sabotage ---

piece-give-me-that = Donne-moi ça !
    .text = Vous prenez dans votre main une carte au hasard de la main de karma de votre victime.
piece-identity-theft = Usurpation d’identité
    .text = Vous échangez vos crédits avec ceux de votre victime, qui pioche ensuite trois cartes karma, ou reçoit cette carte au début de la prochaine manche.
piece-incorrect-drivers = Mauvais pilotes
    .text = Les RIGS d’une parcelle de votre choix ne produisent rien cette manche.
piece-ill-take-that = Je prends CELLE-LÀ !
    .text = Vous regardez la main de karma de votre victime et en prenez une carte dans la vôtre.
piece-i-want-that = JE VEUX ÇA !
    .text = Vous choisissez une ressource. Chaque autre joueur qui en a lance le dé, et vous en donne autant, ou toute s’il en manque.
piece-you-sent-it-where = Vous l’avez envoyé OÙ ?!
    .text = Ce que produit cette manche une parcelle de votre choix vous revient.
piece-brownout = Baisse de tension !
    .text = Votre victime paie le double d’Énergie pour alimenter ses parcelles cette manche.
piece-survey-error = Erreur de prospection
    .text = La prospection d’une parcelle de votre choix retourne dans la pioche. Les RIGS qui perdent leur emplacement vont à l’entrepôt.
piece-survey-typo = Coquille au cadastre
    .text = Les prospections de deux parcelles de votre choix changent de place. Les RIGS qui perdent leur emplacement vont à l’entrepôt.
piece-record-not-found = “Dossier introuvable”
    .text = Le chef d’expédition donne une parcelle de votre choix, avec tout ce qu’elle porte, à un autre joueur. Votre victime pioche une carte karma.
piece-carrier-lost = Perte de porteuse
    .text = Aucun RIGS de votre victime ne travaille cette manche. Elle pioche une carte karma.
piece-triangulation-drift = Dérive de triangulation
    .text = Vous envoyez chaque RIGS d’une parcelle de votre choix vers n’importe quelle autre parcelle ou n’importe quel entrepôt. Votre victime pioche une carte karma.

# --- Karma : Richesse ---

piece-recycling = Recyclage
    .text = Reste en jeu : les RIGS que vous perdez vont dessus. Défaussez-le dans la phase des joueurs pour un Métal par RIGS posé dessus.
piece-ridiculous-efficiency = Rendement absurde
    .text = Tous vos RIGS produisent le double cette manche.
piece-parts-shop = Magasin de pièces
    .text = Reste en jeu : les RIGS que vous perdez vont dessus. Lancez le dé une fois par phase des joueurs : s’il y a au moins autant de RIGS dessus, l’un d’eux va à votre entrepôt ; sur un 1, la carte et ses RIGS sont perdus.
piece-swap-meet = Bourse d’échange
    .text = Vous échangez jusqu’à six ressources contre autant de n’importe quelles sortes.
piece-poker-night = Soirée poker
    .text = Vous lancez le dé pour autant de vos ressources que vous voulez : sur un 1, elle est perdue, sur un 4 ou un 5 doublée, sur un 6 triplée.
piece-below-the-surface = Sous la surface
    .text = Vous recevez une ressource par emplacement d’une sorte sur l’une de vos parcelles.
piece-winning-raffle-ticket = Billet de tombola gagnant
    .text = Vous lancez le dé, et recevez autant de Luxe.
piece-ruins = Ruines
    .text = Vous lancez le dé, et recevez autant de ressources de votre choix.
piece-rigs-tdm = R.I.G.S. T.D.M.
    .text = Les RIGS de l’une de vos parcelles produisent le triple cette manche.
piece-other-markets = Autres marchés
    .text = Après la pioche de la carte de marché : un Luxe vaut autant que la carte de marché la plus haute piochée dans cette partie.
piece-naive-profits = Profits naïfs
    .text = Après la pioche de la carte de marché : chaque Luxe que vous vendez vaut en plus la valeur de la carte de marché la plus basse piochée dans cette partie.

# --- Karma : Protection ---

piece-wrong-address = Mauvaise adresse
    .text = Quand un Sabotage vous touche, vous le détournez vers un joueur ou une parcelle qu’il ne touche pas, ou vous y échappez.
piece-rigs-alarm-system = Alarme R.I.G.S.
    .text = Reste en jeu : quand un Sabotage vous touche, lancez le dé : sur un nombre pair, vous y échappez ; sur un 1, cette carte est défaussée.
piece-push-pull-or-drag = Pousser, tirer ou traîner
    .text = Reste en jeu : quand l’un de vos RIGS est détruit, vous pouvez défausser cette carte pour un nouveau RIGS dans votre entrepôt.
piece-calling-in-a-favor = Renvoi d’ascenseur
    .text = Un Sabotage est défaussé sans effet.
piece-ive-got-a-donk = J’ai une sacrée bécane
    .text = Reste en jeu : quand un Sabotage vous touche, lancez le dé : de 2 à 5, vous y échappez ; sur un 1 ou un 6, cette carte est défaussée.
piece-right-back-at-you = Retour à l’envoyeur
    .text = Un Sabotage touche son propriétaire à la place, et ses victimes reçoivent ce qu’il rapporte, que vous répartissez.
piece-warehouse-insurance = Assurance d’entrepôt
    .text = Vous récupérez les ressources de votre dernière perte due à une Catastrophe, une Destruction ou un Sabotage.
piece-decoy = Leurre
    .text = Quand un autre joueur prendrait une carte de votre main de karma, il prend celle-ci à la place.
piece-double-agent = Agent double
    .text = Un Sabotage devient le vôtre : utilisez-le aussitôt comme vous voulez, ou défaussez-le.
piece-aint-working-for-you = Ça ne marche pas pour toi
    .text = Un Sabotage retourne dans la main de son propriétaire, qui n’en joue plus cette manche.
piece-a-little-information = Un petit renseignement
    .text = Vous regardez les mains de karma et les crédits de tous les autres joueurs.

# --- Refus ---

refusal-not-now = ce n’est pas possible maintenant
refusal-not-your-plot = { $plot } ne vous appartient pas
refusal-not-granted = { $plot } n’est pas parmi les parcelles de la concession
refusal-cannot-name = { $seat-seat-is ->
    [you] vous ne pouvez pas vous désigner maintenant
   *[other] on ne peut pas désigner { $seat-seat-them } maintenant
}
refusal-too-few = cela coûte { $needed } { $resource }, et vous avez { $there }
refusal-no-rigs-left = les 75 RIGS de la colonie sont tous construits
refusal-no-rigs-there = vous n’avez pas de RIGS à cet endroit
refusal-no-room = un RIGS ne peut pas aller là : il lui faut un emplacement libre, et tous les RIGS d’une parcelle exploitent une seule ressource
refusal-surveyed = { $plot } est déjà prospectée
refusal-no-surveys-left = la pioche des prospections est vide
refusal-not-lent = Vinnie ne prête pas de Luxe
refusal-no-script-left = Vinnie n’a plus de bon pour cela : { $resource }
refusal-credit-limit = à chaque phase, Vinnie prête une unité par parcelle, et vous en possédez { $plots }
refusal-nothing-owed = vous ne devez rien à Vinnie pour cela : { $resource }
refusal-nobody-to-deal-with = { $seat-seat-is ->
    [you] vous ne pouvez pas négocier avec vous-même
   *[other] on ne peut pas négocier avec { $seat-seat-them }
}
refusal-not-on-turn = dans la phase des joueurs, un marché demande que ce soit le tour de l’un des deux joueurs
refusal-zero-hour = dans la phase de production, seuls des ressources et des crédits changent de mains
refusal-scripts-stay = un bon reste chez son emprunteur jusqu’au remboursement
refusal-empty-deal = l’une des deux parties au moins doit donner quelque chose
refusal-cannot-give = vous n’avez pas ce que vous voulez donner
refusal-cannot-take = { $seat-seat } n’a pas ce que vous demandez
refusal-no-such-offer = cette offre n’existe pas
refusal-not-in-hand = { $card } n’est pas dans votre main
refusal-wrong-time = { $card } ne peut pas être jouée maintenant
refusal-bad-aim = { $card } ne peut pas être jouée là-dessus
refusal-no-more-sabotage = vous ne pouvez plus jouer de Sabotage pendant cette manche
refusal-not-in-play = vous n’avez pas { $card } en jeu
refusal-tinkered-already = vous avez déjà lancé le dé pour le Magasin de pièces cette manche
refusal-no-such-card = { $card } n’est pas parmi les cartes au choix
refusal-wrong-amount = choisissez { $needed ->
    [1] une unité
   *[other] { $needed } unités en tout
}, parmi celles qui sont disponibles
refusal-cannot-stake = misez des unités que vous aviez quand la Soirée poker a été jouée et qui n’ont pas encore été jouées au dé
refusal-nothing-to-power = { $plot } ne peut pas recevoir d’Énergie
refusal-not-enough-energy = alimenter ces parcelles demande { $needed } Énergie, et vous avez { $there }
refusal-ready-already = vous êtes prêt ; revenez d’abord là-dessus
refusal-all-ready = tout le monde est prêt, et le Dernier appel vient
refusal-too-many-unready = vous êtes revenu { $most } fois là-dessus dans cette phase
refusal-too-many-offers = vous avez fait { $most } offres dans ce tour ou cette phase
refusal-too-many-shows = vous avez montré quelque chose { $most } fois dans ce tour ou cette phase
refusal-not-ready = vous n’êtes pas prêt
refusal-cannot-sell = vous ne pouvez pas vendre { $amount } Luxe : vous avez { $there }
refusal-must-sell = à la dernière manche, tout le Luxe doit être vendu

# --- Comment jouer ---

primer-1 = Le but
    .text =
        Valez le plus après quinze manches. Comptent vos parcelles, vos ressources et vos crédits, moins ce que vous devez à Vinnie. Les
        RIGS et les cartes karma ne valent rien à la fin.

        Un RIGS est une machine posée sur un emplacement d’une parcelle ; il produit une unité de la ressource de cet emplacement :
        Énergie, Ravitaillement, Métal ou Luxe. Tous les RIGS d’une parcelle exploitent la même ressource.
primer-2 = Une manche
    .text =
        Chaque manche a quatre phases : chacun construit et négocie ; une catastrophe frappe chaque joueur ; les parcelles produisent ;
        et le Luxe se vend.

        Le chef d’expédition est le joueur aux plus mauvaises parcelles ; il prend quelques décisions pour tous, comme qui reçoit quelle
        catastrophe.
primer-3 = Construire et négocier
    .text =
        Dès la deuxième manche, tant qu’il y a des parcelles, le chef regarde une nouvelle parcelle par joueur, en prend une, et les
        autres piochent la leur.

        Ensuite, chacun a des tours. Au vôtre, faites-en autant que vous voulez, et dites « prêt » quand vous avez fini :

        - Construire un RIGS pour 2 Métal. Il arrive dans votre entrepôt.
        - Déplacer un RIGS pour 1 Ravitaillement, vers un emplacement libre de l’une de vos parcelles ou vers l’entrepôt.
        - Prospecter l’une de vos parcelles pour 1 Ravitaillement : elle a peut-être des emplacements de Luxe.
        - Proposer des marchés : ressources, crédits, parcelles et RIGS, contre n’importe lesquels d’entre eux.
        - Emprunter à Vinnie. Vous recevez 1 unité et en rendez 2, ou quatre fois sa valeur à la fin.
        - Jouer des cartes karma.

        Quand tous sont prêts, chacun défausse jusqu’à cinq cartes karma.
primer-4 = Les catastrophes
    .text =
        Le chef donne à chaque joueur une catastrophe. Elle peut prendre des ressources de votre entrepôt, prendre un RIGS ou limiter
        votre production de cette manche. Si elle vous nuit, vous piochez une carte karma. Sinon, vous pouvez échanger une carte karma
        contre une autre.
primer-5 = La production
    .text =
        Une parcelle ne travaille que si elle est alimentée, pour 1 Énergie. Une parcelle dont les RIGS produisent de l’Énergie n’en
        demande pas, et l’Énergie qu’elle produit cette manche peut alimenter vos autres parcelles. La table propose d’abord le choix qui
        produit le plus ; changez-le si vous voulez, et dites « prêt ».

        Quand tous sont prêts, le Dernier appel est lancé : après lui, certaines cartes karma peuvent encore gâcher ou multiplier la
        production. Puis tout arrive dans les entrepôts.
primer-6 = Le marché
    .text =
        Une carte fixe le prix du Luxe pour cette manche. Vendez-en autant que vous voulez, ou gardez-le pour un meilleur prix. À la
        dernière manche, tout le Luxe doit être vendu.
primer-7 = Les cartes karma
    .text =
        Chaque carte dit ce qu’elle fait et dans quelles phases elle se joue. Il y en a quatre genres : la Destruction nuit aux autres
        et ne se pare pas, le Sabotage leur nuit mais on peut y répondre, la Richesse vous aide, et la Protection répond le plus souvent
        à ce qui vous est fait, ou l’adoucit.

        Quand un Sabotage est joué, on demande aux autres s’ils y répondent, qu’ils aient ou non une carte qui convienne : ainsi, la
        question ne révèle rien. On peut aussi répondre à une réponse ; la dernière compte.
primer-8 = La fin
    .text =
        Après la manche 15, le chef lance un dé pour l’Énergie, le Ravitaillement et le Métal : c’est ce que vaut chaque unité. Des
        cartes de marché disent ce que vaut chaque sorte de parcelle, et une parcelle avec un emplacement de Luxe compte double. Chaque
        dette coûte quatre fois la valeur de sa ressource. Qui vaut le plus gagne ; à égalité, celui qui a le plus de crédits.
