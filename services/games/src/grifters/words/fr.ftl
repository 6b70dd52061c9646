game = Grifters
    .description = Envoyez vos gens, seuls pour des coups ou en équipe pour des missions, voler le Trésor et vos adversaires.
    .duration = environ 30 minutes
    .difficulty = moyen

# Les titres des missions sont entre guillemets, ceux des personnes non.
named = { $back ->
    [job] « { $title } »
   *[other] { $title }
}

# --- Accords : d’autres messages les contiennent ---

jobs-coloured = { $value-key ->
    [blue] bleues
    [green] vertes
    [red] rouges
    [yellow] jaunes
   *[purple] violettes
}
stack-coloured = { $value-key ->
    [blue] bleue
    [green] verte
    [red] rouge
    [yellow] jaune
   *[purple] violette
}
of-skill = { $value-key ->
    [brain] d’astuce
    [speed] de vitesse
   *[brawn] de force
}

# --- Lieux ---

place-box = Boîte
    .from = de la boîte
    .to = dans la boîte
    .at = dans la boîte
place-coffers = Trésor
    .from = au Trésor
    .to = dans le Trésor
    .at = dans le Trésor
place-deck = Pioche
    .from = de la pioche
    .to = dans la pioche
    .at = dans la pioche
place-discard = Défausse
    .from = de la défausse
    .to = dans la défausse
    .at = dans la défausse
place-jobs = Missions { jobs-coloured }
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
place-completed-jobs = Missions accomplies
    .from = { $owner-is ->
        [you] parmi vos missions accomplies
        [self] parmi ses missions accomplies
       *[other] parmi les missions accomplies { $owner-whose }
    }
    .to = { $owner-is ->
        [you] parmi vos missions accomplies
        [self] parmi ses missions accomplies
       *[other] parmi les missions accomplies { $owner-whose }
    }
    .at = { $owner-is ->
        [you] parmi vos missions accomplies
        [self] parmi ses missions accomplies
       *[other] parmi les missions accomplies { $owner-whose }
    }

# --- Jetons, dos, marqueurs ---

coin-isk-token = ISK
    .help = De l’argent, en jetons d’un million d’ISK.
    .amount = { $amount } M ISK
    .some = quelques ISK
back-specialist = Personne
    .help = Le dos des chefs de bande et des spécialistes.
    .counted = { $count ->
        [1] une carte
       *[other] { $count } cartes
    }
back-job = Mission
    .help = Le dos des missions.
    .counted = { $count ->
        [1] une mission
       *[other] { $count } missions
    }
mark-deck-end = Fin par la pioche
    .help = Quand une pioche épuisée termine cette partie.
mark-second-job = Mission en second coup
    .help = Jamais posé : aucune mission ne peut être accomplie après une Femme fatale.
mark-acting = En cours
    .help = La carte dont on applique le texte, ou la mission dont on applique la récompense.
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
moved-jobs-completed-jobs = { $seat-is ->
    [you] accomplissez
   *[other] accomplit
} la mission { $what }
# Reprend une carte de sa propre planque.
moved-own = { $seat-is ->
    [you] reprenez
   *[other] reprend
} { $what } { $from }
# Ce qui est laissé en échange d’une autre carte ou mission.
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
moved-jobs-box = on écarte les missions { $at }
# L’annonce le dit.
moved-discard-deck = {""}
# Seul le Bouc émissaire montre une carte, pour agir comme elle.
shown = { $seat-is ->
    [you] faites agir le Bouc émissaire comme
   *[other] fait agir le Bouc émissaire comme
} { $what }
paid-isk-token-box-coffers = on place { $what } dans le Trésor
paid-taken-from = { $seat-is ->
    [you] volez { $what } { $giver-to }
   *[other] { $giver-is ->
        [you] vous vole { $what }
       *[other] vole { $what } { $giver-to }
    }
}
paid-isk-token-stash-first-night = { $seat-is ->
    [you] posez
   *[other] pose
} { $what } dans la première nuit
# Un jeton avance avec le temps, que l’on raconte.
paid-isk-token-first-night-second-night = {""}
paid-isk-token-second-night-third-night = {""}
paid-isk-token-third-night-coffers = { $what } de la troisième nuit retourne au Trésor

# --- Décisions, actions, annonces ---

decision-turn = faire un coup ou accomplir une mission
decision-second-caper = décider de faire ou non un second coup
decision-rob = choisir un adversaire à voler
decision-name-skill = nommer la compétence que la Taupe montre à côté du Gros Bras
decision-swap-jobs = décider d’échanger ou non une mission accomplie contre celle d’un adversaire
decision-choose = { $value-key ->
    [keep] choisir laquelle des cartes piochées garder
    [team-up] choisir une carte pour faire équipe avec le Gros Bras
    [duplicate] choisir une carte de la main que le Bouc émissaire imite
    [take-back] choisir une carte de la planque à reprendre
    [abduct] choisir une carte d’un adversaire à enlever
   *[exchange] décider d’échanger ou non la Taupe contre une carte d’un adversaire
}
verb-perform-caper = Faire un coup
    .help = Joue une carte dans la première nuit et applique son texte.
    .label = Jouer { $card }
verb-complete-job = Accomplir une mission
    .help = Joue une équipe qui a exactement les compétences d’une mission, pour sa récompense.
    .label = Accomplir { $job } avec { $team }
    .short = { $job } : { $team }
verb-keep = Garder une carte
    .help = Garde l’une des cartes piochées et défausse les autres.
    .label = Garder { $card }
verb-team-up = Faire équipe
    .help = Joue une carte à côté du Gros Bras, en équipe de deux.
    .label = Faire équipe avec { $card }
verb-duplicate = Imiter une carte
    .help = Applique le texte d’une autre carte de la main, qui y reste.
    .label = Imiter { $card }
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
verb-name-skill = Nommer une compétence
    .help = Nomme la compétence que la Taupe montre à côté du Gros Bras.
    .label = Nommer : { $skill }
verb-swap-jobs = Échanger des missions
    .help = Échange une mission accomplie contre celle d’un adversaire.
    .label = Échanger { $mine } contre { $theirs }
    .short = { $mine } → { $theirs }
verb-decline = Renoncer
    .help = Renonce au second coup ou à l’échange.
    .does = { $seat-is ->
        [you] renoncez
       *[other] renonce
    }
verb-pass = Passer
    .help = Pose 1 M ISK dans la première nuit, faute de carte à jouer.
    .label = Passer
# La carte le dit.
announcement-caper = {""}
    .title = Coup
announcement-job = {""}
    .title = Mission
announcement-nothing-comes-of-it = cela ne donne rien
announcement-time-advances = {""}
    .title = Le temps passe
announcement-targets =
    .does = { $seat-is ->
        [you] visez
       *[other] vise
    } les cartes isolées { of-skill }
announcement-new-deck = les cartes défaussées forment une nouvelle pioche
announcement-cannot-play =
    .does = { $seat-is ->
        [you] n’avez
       *[other] n’a
    } aucune carte à jouer
announcement-coffers-empty = le Trésor est vide, et la partie est finie
announcement-jobs-completed = toutes les missions sont accomplies, et la partie est finie
announcement-deck-out = il ne reste ni pioche ni défausse, et la partie est finie
# Les scores disent ce qu’un joueur possède et les bonus, comme leurs parts.
announcement-stash-holds = {""}
    .title = magot
announcement-bonus = {""}
    .title = bonus des missions { jobs-coloured }
announcement-tie-on-jobs = { $seat-is ->
    [you] vous êtes
   *[other] { $seat } est
} à égalité en tête, avec { $amount ->
    [one] { $amount } mission accomplie
   *[other] { $amount } missions accomplies
}
announcement-tie-on-people = { $seat-is ->
    [you] vous êtes
   *[other] { $seat } est
} encore à égalité, avec { $amount ->
    [one] { $amount } carte
   *[other] { $amount } cartes
}
# Une récompense avec un choix : la mission n’est accomplie qu’après.
marked-acting = { $now-key ->
    [hack-credit-system] la mission est « { $now } »
    [clone-the-ledgers] la mission est « { $now } »
    [hijack-the-payroll] la mission est « { $now } »
    [empty-the-vault] la mission est « { $now } »
   *[other] {""}
}
score = { $seat } { $points } M ISK
score-of-parts = { $seat } { $points } M ISK ({ $parts })
score-part = { $title } { $sign }{ $points } M ISK
table-seat = { $seat-is ->
    [you] Vous
   *[other] { $seat }
}, place { $number }{ $scored ->
    [yes] , { $points } M ISK
   *[no] {""}
}{ $resigned ->
    [yes] , abandon
   *[no] {""}
}

# --- Cartes ---

facet-kind = Genre
facet-skill = Compétence
facet-colour = Couleur
facet-number = Numéro
facet-players = Joueurs
facet-team = Équipe
value-ringleader = chef de bande
value-specialist = spécialiste
value-job = mission
value-any = toute compétence
value-brain = astuce
value-speed = vitesse
value-brawn = force
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
    .text = Volez 2 M ISK au Trésor.
piece-pickpocket = le Pickpocket
    .brief = Pickpocket
    .text = Volez 2 M ISK à un adversaire.
piece-fall-guy = le Bouc émissaire
    .brief = Bouc émissaire
    .text = Montrez une autre carte de votre main et appliquez son texte. Elle reste dans votre main. Ce ne peut être ni un Bouc émissaire ni une Taupe.
piece-recruiter = le Recruteur
    .brief = Recruteur
    .text = Piochez deux cartes.
piece-forger = le Faussaire
    .brief = Faussaire
    .text = Vous pouvez échanger l’une de vos missions accomplies contre celle d’un adversaire.
piece-fixer = l’Arrangeur
    .brief = Arrangeur
    .text = Reprenez en main une autre carte de votre planque.
piece-analyst = l’Analyste
    .brief = Analyste
    .text = Piochez deux cartes, gardez-en une et défaussez l’autre. Volez ensuite 1 M ISK au Trésor.
piece-con-man = l’Escroc
    .brief = Escroc
    .text = Volez 1 M ISK au Trésor pour chaque compétence différente dans votre planque, celle de cette carte comprise.
piece-wheelman = le Chauffeur
    .brief = Chauffeur
    .text = Le temps passe encore une fois dans votre planque.
piece-femme-fatale = la Femme fatale
    .brief = Femme fatale
    .text = Vous pouvez faire un second coup. Avant cela, le temps passe dans votre planque.
piece-burglar = le Cambrioleur
    .brief = Cambrioleur
    .text = Volez 3 M ISK au Trésor.
piece-hacker = le Hacker
    .brief = Hacker
    .text = Volez 2 M ISK au Trésor, ou 3 M ISK si vous avez accompli une mission.
piece-middle-man = l’Intermédiaire
    .brief = Intermédiaire
    .text = Volez 1 M ISK à un adversaire et 1 M ISK au Trésor.
piece-thug = le Gros Bras
    .brief = Gros Bras
    .text = Jouez une autre carte à côté de celle-ci ; son texte est ignoré. Volez à chaque adversaire 1 M ISK pour chaque carte de cette compétence qui est seule dans une nuit de sa planque.
piece-enforcer = l’Homme de main
    .brief = Homme de main
    .text = Volez 3 M ISK à l’adversaire le plus riche.
piece-extortionist = le Maître chanteur
    .brief = Maître chanteur
    .text = Volez 1 M ISK à chaque adversaire, ou 2 M ISK à un adversaire unique.
piece-kidnapper = le Ravisseur
    .brief = Ravisseur
    .text = Prenez en main une carte qui est seule dans une nuit de la planque d’un adversaire. Ce ne peut être un chef de bande.
piece-inside-man = la Taupe
    .brief = Taupe
    .text = Vous pouvez échanger cette carte contre une carte de la planque d’un adversaire et appliquer le texte de celle-ci. Ce ne peut être ni un chef de bande ni une Taupe. Dans une équipe, cette carte montre la compétence de votre choix.
piece-kidnap-weapon-experts = Enlever les experts en armement
    .exact = Enlever les experts en armement ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez deux cartes.
piece-bribe-the-auditors = Soudoyer les auditeurs
    .exact = Soudoyer les auditeurs ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez deux cartes.
piece-poach-the-labs = Débaucher les labos
    .exact = Débaucher les labos ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez deux cartes, et volez 1 M ISK au Trésor.
piece-turn-the-board = Retourner le conseil
    .exact = Retourner le conseil ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : piochez trois cartes, et volez 2 M ISK au Trésor.
piece-skim-the-tolls = Écrémer les péages
    .exact = Écrémer les péages ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 3 M ISK au Trésor.
piece-reroute-the-convoy = Détourner le convoi
    .exact = Détourner le convoi ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 3 M ISK au Trésor.
piece-crack-the-exchange = Faire sauter la Bourse
    .exact = Faire sauter la Bourse ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 4 M ISK au Trésor.
piece-drain-the-reserve = Siphonner la réserve
    .exact = Siphonner la réserve ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 5 M ISK au Trésor.
piece-hold-up-the-depot = Braquer le dépôt
    .exact = Braquer le dépôt ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 3 M ISK au Trésor.
piece-storm-the-checkpoint = Forcer le barrage
    .exact = Forcer le barrage ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 3 M ISK au Trésor.
piece-raid-the-armoury = Piller l’armurerie
    .exact = Piller l’armurerie ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 4 M ISK au Trésor.
piece-break-into-the-mint = Cambrioler la Monnaie
    .exact = Cambrioler la Monnaie ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 5 M ISK au Trésor.
piece-hack-credit-system = Pirater le système de crédit
    .exact = Pirater le système de crédit ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 2 M ISK à un adversaire.
piece-clone-the-ledgers = Cloner les registres
    .exact = Cloner les registres ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 3 M ISK à un adversaire.
piece-hijack-the-payroll = Rafler la paie
    .exact = Rafler la paie ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 5 M ISK à un adversaire.
piece-empty-the-vault = Vider la chambre forte
    .exact = Vider la chambre forte ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 7 M ISK à un adversaire.
piece-sell-false-papers = Vendre de faux papiers
    .exact = Vendre de faux papiers ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 1 M ISK à chaque adversaire.
piece-run-the-protection = Organiser le racket
    .exact = Organiser le racket ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 1 M ISK à chaque adversaire, et piochez une carte.
piece-rig-the-tribunal = Truquer le tribunal
    .exact = Truquer le tribunal ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 2 M ISK à chaque adversaire.
piece-own-the-precinct = Acheter le commissariat
    .exact = Acheter le commissariat ({ $colour } { $number })
    .text = Équipe : { $team }. Récompense : volez 3 M ISK à chaque adversaire.

# --- Options ---

option-first-seat = Qui commence
    .description = Le joueur qui commence. Autour d’une table, c’est celui qui a enfreint la loi en dernier, si peu que ce soit.
    .is-random = Le hasard décide
option-two-seat-deck = Pioche à deux joueurs
    .description = Si une partie à deux a tous les spécialistes, comme dans la règle, ou si l’on en écarte un de chaque type.
    .is-all = Tous les spécialistes
    .is-one-of-each-removed = Un de moins de chaque type

# --- Refus ---

refusal-decide-first = vous devez d’abord { $asked }
refusal-must-play = vous ne pouvez passer que si vous n’avez aucune carte à jouer
refusal-not-in-hand = pas dans votre main : { $cards }
refusal-not-on-top = { $job } n’est pas la prochaine mission de sa couleur
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
        Soyez le plus riche à la fin de la partie. Vous envoyez des gens voler le Trésor et vos adversaires, seuls ou en équipe. Les
        missions accomplies rapportent un bonus si vous en avez plusieurs d’une même couleur.
primer-2 = Votre tour
    .text =
        D’abord, le temps passe : vos gens dans la planque avancent d’une nuit, de la première à la deuxième, à la troisième, puis à la
        zone de repos.

        Vous faites ensuite une seule chose : un coup, ou une mission. Si vous le pouvez, vous le devez.

        Enfin, tous ceux de votre zone de repos reviennent dans votre main. Ceux que vous envoyez sont donc partis pour trois nuits.
        Une main peut avoir n’importe quelle taille.
primer-3 = Faire un coup
    .text =
        Jouez une personne de votre main dans la première nuit et faites ce que dit la carte. Les parties d’un texte s’appliquent dans
        l’ordre, et ce qui est impossible est ignoré. La plupart volent ou piochent ; voici ce qu’il faut savoir de certaines :

        - La Femme fatale vous permet de jouer une seconde personne : avant cela, le temps passe dans votre planque.
        - Le Gros Bras emmène un partenaire de votre main. Le texte de celui-ci ne compte pas ; pour chaque carte isolée de la même
          compétence que le partenaire dans la planque d’un adversaire, vous volez 1 M ISK à cet adversaire.
        - Le Bouc émissaire fait ce que dit une autre carte de votre main, qui y reste. Ce ne doit être ni une Taupe ni un Bouc
          émissaire.
        - La Taupe peut changer de place avec une carte de la planque d’un adversaire, et vous faites alors ce que dit celle-ci.
        - Les chefs de bande ne peuvent être ni enlevés ni échangés.
primer-4 = Accomplir une mission
    .text =
        Choisissez la première mission d’une couleur et jouez de votre main, dans la première nuit, une équipe qui montre exactement ses
        compétences, sans rien qui manque ni rien de trop. Une Taupe montre celle dont vous avez besoin. Les textes de l’équipe ne
        comptent pas : prenez plutôt la récompense de la mission, et posez celle-ci devant vous. La suivante de sa couleur est alors
        visible.

        Deux cartes ou plus dans une même nuit forment une équipe : le Gros Bras et le Ravisseur les ignorent.
primer-5 = Rien à jouer
    .text =
        Sans carte en main, vous passez : 1 M ISK de votre magot, si vous l’avez, va dans votre première nuit à la place d’une carte.
        Après trois nuits, il retourne au Trésor, pas à vous.
primer-6 = La fin
    .text =
        La partie s’arrête aussitôt que le Trésor est vide, ou que la pioche et la défausse sont vides toutes les deux. Elle s’arrête
        aussi après le tour qui accomplit la dernière mission.

        Votre score est votre magot, plus un bonus pour chaque couleur dont vous avez accompli plusieurs missions : 2 pour deux, 4 pour
        trois, 8 pour les quatre. À score égal, le plus de missions l’emporte, puis le moins de gens en main, dans la planque et dans la
        zone de repos.
