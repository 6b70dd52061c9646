game = Mountebank
    .description = Réunissez des cartes d’une même couleur, montez des arnaques avec elles et saisissez les occasions que les autres laissent.
    .duration = 15 à 20 minutes
    .difficulty = facile

# --- Lieux ---

place-supply = Réserve
    .from = de la réserve
    .to = dans la réserve
    .at = dans la réserve
place-deck = Pioche
    .from = de la pioche
    .to = dans la pioche
    .at = dans la pioche
place-draft = Rivière
    .from = dans la rivière
    .to = dans la rivière
    .at = dans la rivière
place-discard = Défausse
    .from = de la défausse
    .to = dans la défausse
    .at = dans la défausse
place-hand = Main
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
place-crown = Couronne des { $value }
    .from = sur la Couronne des { $value }
    .to = sur la Couronne des { $value }
    .at = sur la Couronne des { $value }
place-winnings = Butin
    .from = { $owner-is ->
        [you] de votre butin
        [self] de son butin
       *[other] du butin { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre butin
        [self] dans son butin
       *[other] dans le butin { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre butin
        [self] dans son butin
       *[other] dans le butin { $owner-whose }
    }

# --- Jetons, dos, marqueurs ---

coin-token = Jetons
    .help = Des points.
    .amount = { $amount ->
        [one] { $amount } jeton
       *[other] { $amount } jetons
    }
    .some = quelques jetons
back-card = Carte
    .counted = { $count ->
        [1] une carte
       *[other] { $count } cartes
    }
mark-reshuffled = Seconde pioche
    .help = Les cartes défaussées ont été mélangées en une seconde pioche.
mark-turns-left = Tours restants
    .help = Tours jusqu’à la fin, celui en cours compris, une fois la pioche épuisée.

# --- Décisions, actions, annonces ---

decision-turn = préparer une combine ou monter une arnaque
decision-second-card = prendre la seconde carte de la combine
verb-draw = Piocher
    .help = Ajoute à votre main la première carte de la pioche : une demi-combine.
    .label = Piocher une carte
verb-take = Prendre
    .help = Ajoute à votre main une carte de la rivière : une demi-combine.
    .label = Prendre { $card } dans la rivière
    .short = Prendre { $card }
verb-con = Arnaque
    .help = Défausse des cartes qui ont une couleur en commun, pour des points.
    .label = Monter une arnaque de { $primary } avec { $cards }
    .short = { $primary } : { $cards }
verb-pass = Passer
    .help = Ne fait rien. Permis seulement quand rien d’autre n’est possible.
    .does = { $seat-is ->
        [you] passez
       *[other] passe
    }
# La pioche se devine.
moved-opened = { $count ->
    [one] { $what } entre { $to }
   *[other] { $what } entrent { $to }
}
moved-drawn = { $seat-is ->
    [you] piochez { $what }
   *[other] pioche { $what }
}
announcement-con =
    .does = { $seat-is ->
        [you] montez une arnaque de { $value } d’une valeur de { $amount }
       *[other] monte une arnaque de { $value } d’une valeur de { $amount }
    }
# Le score le dit.
announcement-tokens-won = {""}
    .title = jetons
announcement-new-deck = les cartes défaussées forment une nouvelle pioche
announcement-last-turns = la pioche est épuisée : chaque joueur a encore un tour
# L’annonce le dit.
moved-discard-deck = {""}

# --- Cartes : avec leur article dans une phrase, sans lui sur la table ---

facet-rank = Rang
facet-suits = Couleurs
value-moons = Lunes
value-suns = Soleils
value-waves = Vagues
value-leaves = Feuilles
value-wyrms = Vouivres
value-knots = Nœuds
value-ace = As
value-pawn = Pion
value-court = Cour
value-crown = Couronne
piece-ace-of-moons = l’As de Lunes
    .brief = As de Lunes
piece-ace-of-suns = l’As de Soleils
    .brief = As de Soleils
piece-ace-of-waves = l’As de Vagues
    .brief = As de Vagues
piece-ace-of-leaves = l’As de Feuilles
    .brief = As de Feuilles
piece-ace-of-wyrms = l’As de Vouivres
    .brief = As de Vouivres
piece-ace-of-knots = l’As de Nœuds
    .brief = As de Nœuds
piece-author = l’Autrice
    .brief = Autrice
piece-desert = le Désert
    .brief = Désert
piece-origin = l’Origine
    .brief = Origine
piece-journey = le Voyage
    .brief = Voyage
piece-painter = le Peintre
    .brief = Peintre
piece-savage = le Sauvage
    .brief = Sauvage
piece-mountain = la Montagne
    .brief = Montagne
piece-sailor = le Marin
    .brief = Marin
piece-battle = la Bataille
    .brief = Bataille
piece-forest = la Forêt
    .brief = Forêt
piece-discovery = la Découverte
    .brief = Découverte
piece-soldier = le Soldat
    .brief = Soldat
piece-lunatic = le Lunatique
    .brief = Lunatique
piece-penitent = le Pénitent
    .brief = Pénitent
piece-market = le Marché
    .brief = Marché
piece-chance-meeting = la Rencontre fortuite
    .brief = Rencontre fortuite
piece-castle = le Château
    .brief = Château
piece-cave = la Grotte
    .brief = Grotte
piece-diplomat = le Diplomate
    .brief = Diplomate
piece-mill = le Moulin
    .brief = Moulin
piece-betrayal = la Trahison
    .brief = Trahison
piece-pact = le Pacte
    .brief = Pacte
piece-darkness = l’Obscurité
    .brief = Obscurité
piece-merchant = le Marchand
    .brief = Marchand
piece-harvest = la Moisson
    .brief = Moisson
piece-watchman = le Veilleur
    .brief = Veilleur
piece-light-keeper = le Gardien du phare
    .brief = Gardien du phare
piece-borderland = la Frontière
    .brief = Frontière
piece-consul = le Consul
    .brief = Consul
piece-rite = le Rite
    .brief = Rite
piece-island = l’Île
    .brief = Île
piece-window = la Fenêtre
    .brief = Fenêtre
piece-huntress = la Chasseresse
    .brief = Chasseresse
piece-bard = le Barde
    .brief = Barde
piece-sea = la Mer
    .brief = Mer
piece-end = la Fin
    .brief = Fin
piece-calamity = la Calamité
    .brief = Calamité
piece-windfall = l’Aubaine
    .brief = Aubaine

# --- Options ---

option-first-seat = Qui commence
    .description = Le joueur qui commence. Autour d’une table, c’est celui qui s’est vanté en dernier.
    .is-random = Le hasard décide

# --- Refus ---

refusal-scheming = terminez d’abord la combine en cours
refusal-hand-full = une main compte { $cards-max } cartes au plus
refusal-deck-empty = la pioche est vide
refusal-not-in-draft = { $card } n’est pas dans la rivière
refusal-not-in-hand = pas dans votre main : { $cards }
refusal-no-common-suit = toutes les cartes d’une arnaque, sauf les As, doivent montrer sa couleur, { $primary }, et au moins une doit la montrer
refusal-must-play = vous ne pouvez passer que si rien d’autre n’est possible

# --- Comment jouer ---

primer-1 = Le but
    .text =
        Ayez le plus de jetons quand les cartes sont épuisées. Vous les gagnez par des arnaques : des cartes qui ont une couleur en
        commun et que vous défaussez ensemble. Vous prenez aussi les jetons posés sur les Couronnes, où ils attendent quiconque monte
        une arnaque de cette couleur.
primer-2 = Votre tour
    .text =
        À votre tour, vous faites l’une de ces deux choses : préparer une combine, ou monter une arnaque. C’est ensuite au joueur
        suivant.
primer-3 = Préparer une combine
    .text =
        Une combine ajoute deux cartes à votre main, l’une après l’autre. Chacune est soit la première carte de la pioche, sans la voir,
        soit l’une des cartes face visible de la rivière. Une carte prise dans la rivière est aussitôt remplacée depuis la pioche : la
        seconde carte peut donc être la nouvelle.

        Vous avez sept cartes en main au plus. Avec six, une combine n’en ajoute qu’une. Avec sept, pas de combine : montez une arnaque.
primer-4 = Monter une arnaque
    .text =
        Défaussez de votre main autant de cartes que vous voulez, pourvu qu’elles montrent toutes une même couleur, et nommez-la : c’est
        la couleur principale. Les As peuvent entrer dans toute arnaque, même s’ils n’en montrent pas la couleur. Une seule carte est
        déjà une arnaque.

        - Comptez les cartes qui montrent la couleur principale. Comptez celles qui montrent l’autre couleur la plus fréquente.
          Multipliez les deux : vous recevez autant de jetons.
        - Prenez ensuite tous les jetons de la Couronne de la couleur principale.
        - Enfin, cherchez les couleurs qu’une seule carte de votre arnaque montre. La Couronne de chacune reçoit autant de jetons qu’il
          y a de cartes de cette autre couleur la plus fréquente. C’est un cadeau aux joueurs qui vous suivent : attention à ce que vous
          laissez.

        Par exemple, la Bataille et la Trahison (toutes deux Vouivres et Nœuds), le Désert (Soleils et Vouivres) et l’As de Nœuds, avec
        les Vouivres pour couleur principale : trois cartes montrent des Vouivres, trois des Nœuds, vous recevez donc 9 jetons et ce qui
        se trouve sur la Couronne des Vouivres. Seul le Désert montre des Soleils : 3 jetons vont sur la Couronne des Soleils.
primer-5 = La fin
    .text =
        À deux joueurs, la fin commence quand la pioche est épuisée. À trois ou quatre, les cartes défaussées, s’il y en a, forment une
        fois une nouvelle pioche, et la fin commence quand celle-ci est épuisée à son tour.

        Le tour en cours s’achève, puis chacun a encore un tour ; celui qui a pris la dernière carte joue en dernier. Le plus de jetons
        l’emporte. Les cartes en main et les jetons sur les Couronnes ne comptent pas, et les joueurs à égalité partagent la victoire.
