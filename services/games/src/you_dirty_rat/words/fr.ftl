game = You Dirty Rat
    .description = Envoyez vos criminels, seuls ou en équipe pour des braquages, voler la ville et les autres barons du crime.
    .duration = environ 30 minutes
    .difficulty = moyen

# Les titres des braquages sont entre guillemets, ceux des personnes non.
named = { $back ->
    [heist] « { $title } »
   *[other] { $title }
}

# --- Accords : d’autres messages les contiennent ---

heists-coloured = { $value-key ->
    [blue] bleus
    [green] verts
    [red] rouges
    [yellow] jaunes
   *[purple] violets
}
stack-coloured = { $value-key ->
    [blue] bleue
    [green] verte
    [red] rouge
    [yellow] jaune
   *[purple] violette
}
cards-coloured = { $value-key ->
    [blue] bleues
    [green] vertes
    [red] rouges
    [yellow] jaunes
   *[purple] violettes
}

# --- Lieux ---

place-box = Boîte
    .from = de la boîte
    .to = dans la boîte
    .at = dans la boîte
place-town-stash = Caisse de la ville
    .from = dans la caisse de la ville
    .to = dans la caisse de la ville
    .at = dans la caisse de la ville
place-deck = Pioche
    .from = de la pioche
    .to = dans la pioche
    .at = dans la pioche
place-discard = Défausse
    .from = de la défausse
    .to = dans la défausse
    .at = dans la défausse
place-heists = Braquages { heists-coloured }
    .from = de la pile { stack-coloured }
    .to = dans la pile { stack-coloured }
    .at = de la pile { stack-coloured }
place-stash = Magot
    .from = { $owner-is ->
        [you] de votre magot
        [self] de son magot
       *[other] du magot { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre magot
        [self] dans son magot
       *[other] dans le magot { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre magot
        [self] dans son magot
       *[other] dans le magot { $owner-whose }
    }
place-hand = Main
    .from = { $owner-is ->
        [you] dans votre main
        [self] dans sa main
       *[other] dans la main { $owner-whose }
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
place-drawn-cards = Cartes piochées
    .from = { $owner-is ->
        [you] de vos cartes piochées
        [self] de ses cartes piochées
       *[other] des cartes piochées { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos cartes piochées
        [self] parmi ses cartes piochées
       *[other] parmi les cartes piochées { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos cartes piochées
        [self] parmi ses cartes piochées
       *[other] parmi les cartes piochées { $owner-whose }
    }
place-first-night = Première nuit
    .from = { $owner-is ->
        [you] dans votre première nuit
        [self] dans sa première nuit
       *[other] dans la première nuit { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre première nuit
        [self] dans sa première nuit
       *[other] dans la première nuit { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre première nuit
        [self] dans sa première nuit
       *[other] dans la première nuit { $owner-whose }
    }
place-second-night = Deuxième nuit
    .from = { $owner-is ->
        [you] dans votre deuxième nuit
        [self] dans sa deuxième nuit
       *[other] dans la deuxième nuit { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre deuxième nuit
        [self] dans sa deuxième nuit
       *[other] dans la deuxième nuit { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre deuxième nuit
        [self] dans sa deuxième nuit
       *[other] dans la deuxième nuit { $owner-whose }
    }
place-third-night = Troisième nuit
    .from = { $owner-is ->
        [you] dans votre troisième nuit
        [self] dans sa troisième nuit
       *[other] dans la troisième nuit { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre troisième nuit
        [self] dans sa troisième nuit
       *[other] dans la troisième nuit { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre troisième nuit
        [self] dans sa troisième nuit
       *[other] dans la troisième nuit { $owner-whose }
    }
place-refresh-area = Zone de repos
    .from = { $owner-is ->
        [you] de votre zone de repos
        [self] de sa zone de repos
       *[other] de la zone de repos { $owner-whose }
    }
    .to = { $owner-is ->
        [you] dans votre zone de repos
        [self] dans sa zone de repos
       *[other] dans la zone de repos { $owner-whose }
    }
    .at = { $owner-is ->
        [you] dans votre zone de repos
        [self] dans sa zone de repos
       *[other] dans la zone de repos { $owner-whose }
    }
place-committed-heists = Braquages commis
    .from = { $owner-is ->
        [you] parmi vos braquages commis
        [self] parmi ses braquages commis
       *[other] parmi les braquages commis { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos braquages commis
        [self] parmi ses braquages commis
       *[other] parmi les braquages commis { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos braquages commis
        [self] parmi ses braquages commis
       *[other] parmi les braquages commis { $owner-whose }
    }

# --- Jetons, dos, marqueurs ---

coin-hundred = Dollars
    .help = De l’argent, en jetons de 100 $.
    .amount = { $amount ->
        [0] 0 $
       *[other] { $amount }00 $
    }
    .some = de l’argent
back-specialist = Personne
    .help = Le dos des chefs de bande et des spécialistes.
    .counted = { $count ->
        [1] une carte
       *[other] { $count } cartes
    }
back-heist = Braquage
    .help = Le dos des braquages.
    .counted = { $count ->
        [1] un braquage
       *[other] { $count } braquages
    }
mark-deck-end = Fin par la pioche
    .help = Quand une pioche épuisée termine cette partie.
mark-second-heist = Braquage en seconde carte
    .help = Posé si un braquage peut être commis après une Femme fatale.
mark-acting = En cours
    .help = La carte dont on applique le texte, ou le braquage dont on applique la récompense.
mark-clause = Parties appliquées
    .help = Combien de parties de ce texte ont été appliquées.
value-both-piles-empty = dès que la pioche et la défausse sont vides
value-nothing-to-draw = dès qu’il n’y a plus rien à piocher
value-deck-empty = dès que la pioche est vide

# --- Ce qui bouge : prédicats ---

moved-hand-first-night = { $seat-is ->
    [you] jouez
   *[other] joue
} { $what }{ $count ->
    [one] {""}
   *[other] {" "}en équipe
}
moved-drawn = { $seat-is ->
    [you] piochez
   *[other] pioche
} { $what }
moved-deck-drawn-cards = { $seat-is ->
    [you] piochez
   *[other] pioche
} { $what }
moved-drawn-cards-hand = { $seat-is ->
    [you] gardez
   *[other] garde
} { $what }
moved-heists-committed-heists = { $seat-is ->
    [you] commettez
   *[other] commet
} le braquage { $what }
# Reprend une carte de sa propre planque.
moved-own = { $seat-is ->
    [you] reprenez
   *[other] reprend
} { $what } { $from }
# Ce qui est laissé en échange d’une autre carte ou d’un autre braquage.
moved-given = { $seat-is ->
    [you] donnez { $taker-to } { $what }
   *[other] { $taker-is ->
        [you] vous donne { $what }
       *[other] donne { $taker-to } { $what }
    }
} en échange
# Une carte est échangée avec un adversaire ; une nuit qui avance est tout ce qu’elle contient.
moved-first-night-second-night = { $count ->
    [1] { $seat-is ->
        [you] donnez { $taker-to } { $what }
       *[other] { $taker-is ->
            [you] vous donne { $what }
           *[other] donne { $taker-to } { $what }
        }
    } en échange
   *[other] le temps passe
}
moved-second-night-third-night = le temps passe
moved-third-night-refresh-area = le temps passe
moved-refresh-area-hand = { $seat-is ->
    [you] récupérez
   *[other] récupère
} { $what }
moved-deck-box = on écarte un spécialiste de chaque type
moved-heists-box = on écarte les braquages { $at }
# L’annonce le dit.
moved-discard-deck = {""}
paid-hundred-box-town-stash = on place { $what } dans la caisse de la ville
paid-taken-from = { $seat-is ->
    [you] volez { $what } { $giver-to }
   *[other] { $giver-is ->
        [you] vous vole { $what }
       *[other] vole { $what } { $giver-to }
    }
}
paid-hundred-stash-first-night = { $seat-is ->
    [you] posez
   *[other] pose
} { $what } dans la première nuit
# Un jeton avance avec le temps, que l’on raconte.
paid-hundred-first-night-second-night = {""}
paid-hundred-second-night-third-night = {""}
paid-hundred-third-night-town-stash = { $what } de la troisième nuit retournent à la ville

# --- Décisions, actions, annonces ---

decision-turn = jouer un spécialiste ou commettre un braquage
decision-second-play = décider de jouer ou non une seconde carte
decision-rob = choisir un adversaire à voler
decision-name-archetype = nommer l’archétype que la Taupe montre à côté du Gros Bras
decision-swap-heists = décider d’échanger ou non un braquage commis contre celui d’un adversaire
decision-choose = { $value-key ->
    [keep] choisir laquelle des cartes piochées garder
    [team-up] choisir une carte pour faire équipe avec le Gros Bras
    [duplicate] choisir une carte de la main que le Bouc émissaire imite
    [take-back] choisir une carte de la planque à reprendre
    [abduct] choisir une carte d’un adversaire à enlever
   *[exchange] décider d’échanger ou non la Taupe contre une carte d’un adversaire
}
verb-play-specialist = Jouer un spécialiste
    .help = Joue une carte dans la première nuit et applique son texte.
    .label = Jouer { $card }
verb-commit-heist = Commettre un braquage
    .help = Joue une équipe qui a exactement les archétypes d’un braquage, pour sa récompense.
    .label = Commettre { $heist } avec { $team }
    .short = { $heist } : { $team }
verb-keep = Garder une carte
    .help = Garde l’une des cartes piochées et défausse les autres.
    .label = Garder { $card }
verb-team-up = Faire équipe
    .help = Joue une carte à côté du Gros Bras, en équipe de deux.
    .label = Faire équipe avec { $card }
verb-duplicate = Imiter une carte
    .help = Applique le texte d’une autre carte de la main, qui y reste.
    .label = Imiter { $card }
    .does = { $seat-is ->
        [you] faites
       *[other] fait
    } agir le Bouc émissaire comme une autre carte
verb-take-back = Reprendre une carte
    .help = Ramène une carte de la planque dans la main.
    .label = Reprendre { $card }
verb-abduct = Enlever une carte
    .help = Prend en main une carte de la planque d’un adversaire.
    .label = Enlever { $card }
verb-exchange = Échanger la Taupe
    .help = Échange la Taupe contre une carte de la planque d’un adversaire, et applique le texte de celle-ci.
    .label = Échanger la Taupe contre { $card }
    .short = Échanger contre { $card }
verb-rob = Voler un adversaire
    .help = Vole dans le magot d’un adversaire.
    .label = Voler { $seat-seat-them }
    .vain = { $seat-is ->
        [you] ne trouvez rien à voler
       *[other] ne trouve rien à voler
    }
verb-name-archetype = Nommer un archétype
    .help = Nomme l’archétype que la Taupe montre à côté du Gros Bras.
    .label = Nommer : { $archetype }
verb-swap-heists = Échanger des braquages
    .help = Échange un braquage commis contre celui d’un adversaire.
    .label = Échanger { $mine } contre { $theirs }
    .short = { $mine } → { $theirs }
verb-decline = Renoncer
    .help = Renonce à la seconde carte ou à l’échange.
    .does = { $seat-is ->
        [you] renoncez
       *[other] renonce
    }
verb-pass = Passer
    .help = Pose 100 $ dans la première nuit, faute de carte à jouer.
    .label = Passer
# La carte le dit.
announcement-play = {""}
    .title = Carte
announcement-heist = {""}
    .title = Braquage
announcement-nothing-comes-of-it = cela ne donne rien
announcement-time-advances = {""}
    .title = Le temps passe
announcement-targets =
    .does = { $seat-is ->
        [you] visez
       *[other] vise
    } les cartes { cards-coloured } isolées
announcement-new-deck = les cartes défaussées forment une nouvelle pioche
announcement-cannot-play =
    .does = { $seat-is ->
        [you] n’avez
       *[other] n’a
    } aucune carte jouable
announcement-town-stash-empty = la caisse de la ville est vide, et la partie est finie
announcement-heists-committed = tous les braquages sont commis, et la partie est finie
announcement-deck-out = la pioche est épuisée, et la partie est finie
# Les scores disent ce qu’un joueur possède et les bonus, comme leurs parts.
announcement-stash-holds = {""}
    .title = magot
announcement-bonus = {""}
    .title = bonus des braquages { heists-coloured }
announcement-tie-on-heists = { $seat-is ->
    [you] vous êtes
   *[other] { $seat } est
} à égalité en tête, avec { $amount ->
    [one] { $amount } braquage commis
   *[other] { $amount } braquages commis
}
announcement-tie-on-people = { $seat-is ->
    [you] vous êtes
   *[other] { $seat } est
} encore à égalité, avec { $amount ->
    [one] { $amount } carte
   *[other] { $amount } cartes
}
# Une récompense avec un choix : le braquage n’est commis qu’après.
marked-acting = { $now-key ->
    [bank-teller-stick-up] le braquage est « { $now } »
    [bookmaker-held-up] le braquage est « { $now } »
    [casino-count-short] le braquage est « { $now } »
    [rival-vault-cracked] le braquage est « { $now } »
   *[other] {""}
}
score = { $seat } { $points ->
    [0] 0 $
   *[other] { $points }00 $
}
score-of-parts = { $seat } { $points ->
    [0] 0 $
   *[other] { $points }00 $
} ({ $parts })
score-part = { $title } { $sign }{ $points }00 $
table-seat = { $seat-is ->
    [you] Vous
   *[other] { $seat }
}, place { $number }{ $scored ->
    [yes] , { $points ->
    [0] 0 $
   *[other] { $points }00 $
}
   *[no] {""}
}{ $resigned ->
    [yes] , abandon
   *[no] {""}
}

# --- Cartes ---

facet-kind = Genre
facet-archetype = Archétype
facet-colour = Couleur
facet-number = Numéro
facet-players = Joueurs
facet-team = Équipe
value-ringleader = chef de bande
value-specialist = spécialiste
value-heist = braquage
value-any = tout archétype
value-blue = bleu
value-green = vert
value-red = rouge
value-yellow = jaune
value-purple = violet
piece-mastermind = le Cerveau
    .brief = Cerveau
    .text = Piochez trois cartes. Gardez-en une et défaussez les autres.
piece-thief = le Voleur
    .brief = Voleur
    .text = Volez 200 $ à la ville.
piece-pickpocket = le Pickpocket
    .brief = Pickpocket
    .text = Volez 200 $ à un adversaire.
piece-fall-guy = le Bouc émissaire
    .brief = Bouc émissaire
    .text = Montrez une autre carte de votre main et appliquez son texte. Elle reste dans votre main. Ce ne peut être ni un Bouc émissaire ni une Taupe.
piece-recruiter = le Recruteur
    .brief = Recruteur
    .text = Piochez deux cartes.
piece-forger = le Faussaire
    .brief = Faussaire
    .text = Vous pouvez échanger l’une de vos braquages commis contre celle d’un adversaire.
piece-fixer = l’Arrangeur
    .brief = Arrangeur
    .text = Reprenez en main une autre carte de votre planque.
piece-analyst = l’Analyste
    .brief = Analyste
    .text = Piochez deux cartes, gardez-en une et défaussez l’autre. Volez ensuite 100 $ à la ville.
piece-con-man = l’Escroc
    .brief = Escroc
    .text = Volez 100 $ à la ville pour chaque archétype différent dans votre planque, celui de cette carte comprise.
piece-wheelman = le Chauffeur
    .brief = Chauffeur
    .text = Le temps passe encore une fois dans votre planque.
piece-femme-fatale = la Femme fatale
    .brief = Femme fatale
    .text = Vous pouvez jouer une seconde carte. Avant cela, le temps passe dans votre planque.
piece-burglar = le Cambrioleur
    .brief = Cambrioleur
    .text = Volez 300 $ à la ville.
piece-hacker = le Hacker
    .brief = Hacker
    .text = Volez 200 $ à la ville, ou 300 $ si vous avez commis un braquage.
piece-middle-man = l’Intermédiaire
    .brief = Intermédiaire
    .text = Volez 100 $ à un adversaire et 100 $ à la ville.
piece-thug = le Gros Bras
    .brief = Gros Bras
    .text = Jouez une autre carte à côté de celle-ci ; son texte est ignoré. Volez à chaque adversaire 100 $ pour chaque carte de cet archétype qui est seule dans une nuit de sa planque.
piece-enforcer = l’Homme de main
    .brief = Homme de main
    .text = Volez 300 $ à l’adversaire le plus riche.
piece-extortionist = le Maître chanteur
    .brief = Maître chanteur
    .text = Volez 100 $ à chaque adversaire, ou 200 $ à un adversaire unique.
piece-kidnapper = le Ravisseur
    .brief = Ravisseur
    .text = Prenez en main une carte qui est seule dans une nuit de la planque d’un adversaire. Ce ne peut être un chef de bande.
piece-inside-man = la Taupe
    .brief = Taupe
    .text = Vous pouvez échanger cette carte contre une carte de la planque d’un adversaire et appliquer le texte de celle-ci. Ce ne peut être ni un chef de bande ni une Taupe. Dans une équipe, cette carte montre l’archétype de votre choix.
piece-weapon-unveiled = Arme dévoilée
    .exact = Arme dévoilée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez une carte.
piece-archive-ransacked = Archives saccagées
    .exact = Archives saccagées ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez deux cartes.
piece-inventor-missing = Inventeur disparu
    .exact = Inventeur disparu ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez deux cartes, et volez 100 $ à la ville.
piece-mayor-in-the-pocket = Maire dans la poche
    .exact = Maire dans la poche ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez trois cartes, et volez 200 $ à la ville.
piece-art-display-stolen = Exposition d’art dérobée
    .exact = Exposition d’art dérobée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 300 $ à la ville.
piece-mail-train-stopped = Train postal arrêté
    .exact = Train postal arrêté ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 300 $ à la ville.
piece-jeweller-cleaned-out = Bijouterie dévalisée
    .exact = Bijouterie dévalisée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 400 $ à la ville.
piece-museum-emptied = Musée vidé
    .exact = Musée vidé ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 500 $ à la ville.
piece-supermarket-robbery = Supermarché braqué
    .exact = Supermarché braqué ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 300 $ à la ville.
piece-payroll-truck-ambushed = Fourgon de la paie attaqué
    .exact = Fourgon de la paie attaqué ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 300 $ à la ville.
piece-docks-on-fire = Docks en feu
    .exact = Docks en feu ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 400 $ à la ville.
piece-city-bank-blown-open = Banque municipale dynamitée
    .exact = Banque municipale dynamitée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 500 $ à la ville.
piece-bank-teller-stick-up = Guichetier menacé
    .exact = Guichetier menacé ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 200 $ à un adversaire.
piece-bookmaker-held-up = Bookmaker détroussé
    .exact = Bookmaker détroussé ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 300 $ à un adversaire.
piece-casino-count-short = Caisse du casino allégée
    .exact = Caisse du casino allégée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 500 $ à un adversaire.
piece-rival-vault-cracked = Coffre rival forcé
    .exact = Coffre rival forcé ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 700 $ à un adversaire.
piece-muggings-begin = Premières agressions
    .exact = Premières agressions ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 100 $ à chaque adversaire.
piece-rackets-spread = Racket en expansion
    .exact = Racket en expansion ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 100 $ à chaque adversaire, et piochez une carte.
piece-turf-war-declared = Guerre de territoire déclarée
    .exact = Guerre de territoire déclarée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 200 $ à chaque adversaire.
piece-whole-town-squeezed = Ville entière rançonnée
    .exact = Ville entière rançonnée ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 300 $ à chaque adversaire.

# --- Options ---

option-first-seat = Qui commence
    .description = Le joueur qui commence. Autour d’une table, les joueurs choisissent comment en décider.
    .is-random = Le hasard décide
option-deck-end = Fin par la pioche
    .description = Quand une pioche épuisée termine la partie : dès qu’il faut piocher et que la défausse est vide aussi, ou aussitôt que la pioche est vide. Le livret dit l’un et l’autre.
    .is-nothing-to-draw = Plus rien à piocher
    .is-deck-empty = Pioche vide
option-second-play = Seconde carte
    .description = Ce qu’une Femme fatale permet de jouer ensuite : seulement un spécialiste, ou aussi un braquage.
    .is-specialist = Un spécialiste
    .is-specialist-or-heist = Un spécialiste ou un braquage

# --- Refus ---

refusal-decide-first = vous devez d’abord { $asked }
refusal-must-play = vous ne pouvez passer que si vous n’avez aucune carte jouable
refusal-not-in-hand = pas dans votre main : { $cards }
refusal-not-on-top = { $job } n’est pas le prochain braquage de sa couleur
refusal-wrong-team = l’équipe ne convient pas à { $job } : { $missing-count ->
    [0] elle a en trop { $spare }
   *[other] { $spare-count ->
        [0] il manque { $missing }
       *[other] il manque { $missing }, et elle a en trop { $spare }
    }
}
refusal-no-partner = { $card } a besoin d’une autre carte de votre main à ses côtés
refusal-not-duplicated = on ne peut pas imiter { $card }
refusal-not-exchanged = on ne peut pas échanger { $card }
refusal-loyal = { $card } est chef de bande et ne change jamais de camp
refusal-not-a-choice = cela ne fait pas partie des choix : { $choices }

# --- Comment jouer ---

primer-1 = Le but
    .text =
        Soyez le plus riche à la fin de la partie. Vous envoyez des gens voler la ville et vos adversaires, seuls ou en équipe. Les
        braquages commis rapportent un bonus si vous en avez plusieurs d’une même couleur.
primer-2 = Votre tour
    .text =
        D’abord, le temps passe : vos gens dans la planque avancent d’une nuit, de la première à la deuxième, à la troisième, puis à la
        zone de repos.

        Vous faites ensuite une seule chose : jouer un spécialiste, ou commettre un braquage. Si vous le pouvez, vous le devez.

        Enfin, tous ceux de votre zone de repos reviennent dans votre main. Ceux que vous envoyez sont donc partis pour trois nuits.
        Une main peut avoir n’importe quelle taille.
primer-3 = Jouer un spécialiste
    .text =
        Jouez une personne de votre main dans la première nuit et faites ce que dit la carte. Les parties d’un texte s’appliquent dans
        l’ordre, et ce qui est impossible est ignoré. La plupart volent ou piochent ; voici ce qu’il faut savoir de certaines :

        - La Femme fatale vous permet de jouer une seconde personne : avant cela, le temps passe dans votre planque.
        - Le Gros Bras emmène un partenaire de votre main. Le texte de celui-ci ne compte pas ; pour chaque carte isolée du même
          archétype que le partenaire dans la planque d’un adversaire, vous volez 100 $ à cet adversaire.
        - Le Bouc émissaire fait ce que dit une autre carte de votre main, qui y reste. Ce ne doit être ni une Taupe ni un Bouc
          émissaire.
        - La Taupe peut changer de place avec une carte de la planque d’un adversaire, et vous faites alors ce que dit celle-ci.
        - Les chefs de bande ne peuvent être ni enlevés ni échangés.
primer-4 = Commettre un braquage
    .text =
        Choisissez le premier braquage d’une couleur et jouez de votre main, dans la première nuit, une équipe qui montre exactement ses
        archétypes, sans rien qui manque ni rien de trop. Une Taupe montre celui dont vous avez besoin. Les textes de l’équipe ne
        comptent pas : prenez plutôt la récompense du braquage, et posez celui-ci devant vous. Le suivant de sa couleur est alors
        visible.

        Deux cartes ou plus dans une même nuit forment une équipe : le Gros Bras et le Ravisseur les ignorent.
primer-5 = Rien à jouer
    .text =
        Sans carte en main, ou avec un seul Gros Bras pour toute main, vous passez : 100 $ de votre magot, si vous les avez, vont dans
        votre première nuit à la place d’une carte. Après trois nuits, ils retournent à la ville, pas à vous. Qui passe avec une carte
        en main la montre.
primer-6 = La fin
    .text =
        La partie s’arrête aussitôt que la ville n’a plus d’argent, ou qu’il faut piocher alors que la pioche et la défausse sont vides
        toutes les deux ; une option l’arrête dès que la pioche est vide. Elle s’arrête aussi après le tour qui commet le dernier
        braquage.

        Votre score est votre magot en centaines de dollars, plus un bonus pour chaque couleur dont vous avez commis plusieurs
        braquages : 2 pour deux, 4 pour trois, 7 pour les quatre. À score égal, le plus de braquages l’emporte, puis le moins de gens en
        main, dans la planque et dans la zone de repos.
