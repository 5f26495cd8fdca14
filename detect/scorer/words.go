// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scorer

// classes are words that phrases take one for another.
var classes = map[string]string{
	"@you":   "you your ya u him her them his their she he they",
	"@will":  "will ll gonna going shall would want",
	"@hurt":  "kill hurt stab shoot murder strangle punch beat smash break burn choke slap cut end destroy slaughter execute rape shot bury",
	"@group": "jew jewish muslim christian black white asian african arab mexican immigrant migrant refugee foreigner gay lesbian homosexual trans transgender transsexual woman women gypsy roma indian chinese disabled latino hispanic hindu atheist minority",
	"@vile":  "vermin rat parasite animal subhuman inferior filth filthy dirty disgusting criminal terrorist thief thieves scum evil disease plague cockroach stupid lazy abomination unnatural freak superior savage burden dumb sick sneaky worthless useless smell",
	"@drug":  "cocaine heroin meth methamphetamine crack lsd fentanyl ecstasy mdma amphetamine drug ketamine",
	"@arm":   "bomb explosive grenade gun rifle firearm weapon molotov detonator silencer nerve poison",
	"@make":  "make build cook buy get synthesize produce create assemble mix manufacture forge print counterfeit obtain construct smuggle sell",
	"@fool":  "idiot moron loser imbecile fool freak pig cow clown scum scumbag trash garbage liar coward crybaby twit pathetic worthless useless stupid dumb ugly disgusting joke failure nobody weak brainless bitch bastard asshole dumbass retard jerk rat dumbest stupidest ugliest fat",
	"@body":  "throat skull head face ribs rib leg bone corpse body hand guts neck finger arm",
	"@man":   "man men woman women people person everyone everybody him her them husband wife child children hostage prisoner villager civilian somebody someone president family crowd student victim neighbour neighbor",
	"@sexed": "breast nipple thigh penis vagina genital crotch buttock clitoris cock pussy dick",
}

// A list is what speaks for a category, a phrase a line: words, of which each
// stands for all of its forms or, with @, for a class; ".." is up to three
// words. Behind it is its weight; less than 0 speaks against. Weights of a
// sentence are added; 1 is where doubt ends.
type list struct{ category, phrases string }

var lists = []list{
	{"harassment", `
creep 0.7
weirdo 0.8
hag 0.8
dunce 0.9
fatty 0.9
ignorant 0.5
you are garbage 1
garbage and so are you 1.2
waste of oxygen 1.3
you smell 0.8
you stink 1
behind your back 0.4
sorry excuse for 1
so leave 0.4
keep your mouth 0.7
shut your mouth 1
shut your .. mouth 1
disappear 0.3
hate you 0.8
you disgust me 1
you make me sick 1
nobody want you 0.9
nobody wants you 0.9
jerk 0.6
dickhead 1
cunt 1.1
whore 1
slut 1
are you .. thick 0.9
are you .. stupid 1
kiss my ass 0.9
douchebag 1
hideous 0.5
clueless 0.4
are you blind 0.5
ashamed of yourself 0.6
your own mother 0.5
embarrassment 0.5
you are .. @fool 1.2
you re .. @fool 1.2
you @fool 1.1
you .. little @fool 0.9
you absolute .. @fool 1
you .. waste of space 1.2
shut up 0.7
nobody likes you 1.2
nobody will ever love you 1.2
no one likes you 1.2
she is .. @fool 0.8
he is .. @fool 0.8
what a .. @fool 0.7
what an .. @fool 0.8
get lost 0.7
moron 0.8
idiot 0.7
imbecile 0.8
scumbag 1
loser 0.6
twit 0.6
bitch 0.8
asshole 0.9
dumbass 0.9
piece of trash 0.9
piece of shit 0.9
waste of space 0.9
laugh at her 0.4
laugh at you 0.5
your face make me 0.7
think you are .. @fool 1
i hope you .. die 1.2
fuck you 1.2
crawl back 0.5
fuck off 1
idiot proof -1
`},
	{"harassment/threatening", `
make you regret 1
regret .. being born 1.2
you are next 0.5
you re next 0.6
nobody will find your body 1.3
find your body 0.8
slit your throat 1.4
your throat 0.5
bullet in your 1.3
bullet in you 1.2
or your daughter 0.8
or your son 0.8
or your family 0.8
gets it 0.3
outside your house 0.7
with a knife 0.4
hunt you down 1.3
won t see .. promise 1.1
won t see tomorrow 1.2
visit you tonight 0.6
bring bat 0.6
you are finished 0.5
you re finished 0.6
i will destroy you 1.1
put you in .. grave 1.3
dig your grave 1.2
your grave 0.6
teach you a lesson 0.7
acid 0.2
throw acid 1
your last day 0.9
last warning 0.7
we know where 0.6
i know where you 0.9
watch you sleep 1
your car 0.1
break your @body 1.3
break your neck 1.3
cut your @body 1.3
rip your @body 1.3
skin you 1.2
hurt your 0.9
kill your 1.1
make you bleed 1.2
i @will .. @hurt you 1.5
i @will .. @hurt your 1.4
i ll @hurt you 1.5
i ll @hurt your 1.5
we @will .. @hurt you 1.5
we @will .. @hurt your 1.4
i will find you .. 0.6
hurt you 0.6
kill you 0.8
watch your back 1.3
know where you live 1.3
am coming for you 1.2
are coming for you 1.2
will come for you 1.1
you are dead 0.7
you re dead 0.8
dead meat 0.9
you will die 1
or you die 1.3
pay for this .. life 1.2
never walk again 1.2
one eye open 1.1
end up in .. hospital 0.9
your children go to 0.7
your kids go to 0.7
so be careful 0.3
get shot 0.9
snitch 0.4
beat you .. pulp 1.3
beat you up 1
i swear 0.2
burn your house 1.2
make you pay 0.8
make you suffer 1.1
you will regret 0.6
we will find you a -2
call you -0.3
`},
	{"hate", `
before the @group came 1
dark skin .. less 0.9
less intelligent 0.6
@group .. less intelligent 1
@group spread disease 1.3
@group .. banned from 0.9
never hire a @group 1.2
don t hire @group 1.1
@group run everything 1.2
@group control 1
@group .. breed like 1.3
breed like rabbit 0.9
steal our job 1
take our job 0.9
can t stand @group 1.2
@group are .. liar 1.2
all liar 0.4
handicapped .. drowned 1.2
drowned at birth 1
cannot govern themselves 0.9
burn their mosque 1.2
burn .. mosque 0.8
burn .. synagogue 1
send the lot .. home 0.9
send them .. home 0.8
belong in the kitchen 1.1
@group .. belong in 0.7
gas the @group 1.5
kill all @group 1.5
kill the @group 1.2
ban all @group 1.1
no @group here 0.9
@group ruin 0.9
@group .. ruin this country 1.1
@group .. destroy .. country 1
@group .. taking over 0.9
invade our country 0.9
@group have no place 1.1
@group .. not human 1.2
@group .. not real @group 0.5
@group are .. problem 0.8
@group .. cannot be trusted 1.1
never trust @group 1.1
don t trust @group 1
typical @group 0.5
@group are .. greedy 1.2
@group are .. violent 0.9
@group are .. rapist 1.2
keep @group out 1.1
racial purity 1.1
ethnic cleansing 0.7
celebrate -0.4
@group are .. @vile 1.4
@group people are .. @vile 1.4
@group is .. @vile 0.8
hate @group 1.2
hate all @group 1.4
hate the @group 1.2
all @group 0.3
no @group .. allowed 1.2
@vile @group 0.6
those @group 0.3
@group .. deserve no 1
@group .. punished 0.7
@group .. not exist 1.1
@group .. should be 0.4
exterminate .. @group 1.4
exterminate 0.6
last one of those @group 0.7
race pure 1.3
race is superior 1.4
superior race 1.2
master race 1.2
inferior race 1.3
white power 1.2
send them .. back 0.6
throw out 0.2
thrown out 0.3
get rid of them 0.6
locked away 0.2
keep them out 0.5
deport all 0.9
go back to your country 1.2
@group .. too stupid to 1.2
people are useless 0.9
black coffee -1
white bread -1
animal rights -1
`},
	{"illicit", `
blow something up 1
blow up 0.3
fake twenties 1.1
fake bill 1
fake money 1
pass the pen test 0.5
break into a house 1.1
breaking into .. house 1.1
break into .. 0.5
stolen card number 1.2
stolen .. number 0.7
ricin 1.1
sarin 1.1
anthrax 0.6
cyanide 0.6
trick .. people .. into giving 1.1
giving me their pin 0.9
giving me their password 1
hide income .. tax 1.2
hide .. from the tax 1
magic mushroom 0.7
sell at my school 0.7
serial number from .. gun 1.1
serial number from .. pistol 1.2
pistol 0.3
floods a .. with traffic 0.8
ddos 0.8
take down .. website 0.6
how to steal 1
how do i steal 1.1
how can i steal 1.1
how to break into 0.9
how do i break into 0.9
how to hack 0.7
how do i hack 0.9
crack .. password 0.6
someone else s account 0.9
her account .. without 0.8
spy on my 0.8
deal drug 1
sell drug 1
buy drug 1
buy weed 0.8
grow .. to sell 0.5
hitman 1.2
hire someone to kill 1.3
dispose of a body 1.3
get rid of a body 1.3
hide a body 1.3
insider trading .. how 0.6
bribe 0.6
bribe a 0.5
blackmail 0.8
extort 0.8
fake prescription 1.2
fake diploma 1.1
fake document 1
molotov cocktail 1.2
fool .. breathalyzer 1
tamper 0.4
credit card skimmer 1.2
skimmer 0.7
sim swap 0.9
crack .. licence 0.6
bomb threat 0.8
gun rack -2
gun safety -1
how to @make .. @arm 1.2
how do i @make .. @arm 1.2
how can i @make .. @arm 1.2
way to @make .. @arm 1
recipe for .. explosive 1.3
@make .. @arm at home 1.2
pipe bomb 1
nerve gas 1
nerve agent 0.8
bath bomb -2
@make .. @drug 1.1
cook meth 1.2
smuggle 0.9
launder money 1.3
money laundering 0.4
launder .. linen -2
forge .. passport 1.3
fake passport 1.2
fake id 0.8
counterfeit 0.7
how do i counterfeit 1
phishing mail that 0.9
phishing email that 0.9
write a phishing 1.2
protect .. phishing -1
steal .. password 1
steals .. password 1
hack into 1.1
hack .. account 0.8
shoplift 1.1
hotwire 1.2
ransomware that 0.9
write ransomware 1.2
keylogger 0.9
install .. secretly 0.7
malware that 0.8
untraceable 0.7
clone .. card 1.2
stolen identity 1
stolen card 1
stolen credit card 1.2
dark web 0.5
get away with murder 1.3
without getting caught 0.9
without leaving a trace 0.8
poison someone 1
poison .. without 0.7
pick .. lock .. not mine 1
not mine 0.3
drug sale 0.6
evade tax 1
bypass .. alarm 0.7
setting off the alarm 0.5
make explosive 1.2
making explosive 1.2
approved for -0.5
`},
	{"self-harm", `
no point in being alive 1.3
no point in living 1.3
no point .. living 1.1
no reason to live 1.3
reason to live 0.4
razor .. calm 1
razor 0.4
dose .. lethal 1
lethal dose 0.9
step in front of .. train 1.2
jump in front of .. train 1.2
never waking up 1.2
never wake up 1.1
not wake up 0.7
find my body 1.1
stop eating without 1
ready to go 0.2
deserve the pain 0.9
be over forever 0.9
it all to be over 1.1
all to end 0.7
tired of living 1.3
tired of life 0.9
don t deserve to live 1.2
i hate myself 0.8
hate being alive 1.2
disappear forever 0.7
world .. better without me 1.3
burden to everyone 0.9
burden to my family 0.9
throw up after every meal 0.9
purge 0.4
cut my arm 1.2
cut my leg 1.1
cut my thigh 1.2
cut myself .. shaving -1.2
scar on my wrist 0.7
my wrist 0.4
last message 0.5
say goodbye forever 1
want to disappear 0.6
thinking of .. ending it 1
ending it 0.5
ending everything 0.8
painless 0.6
painless way to 0.7
die in my sleep 0.9
i want it to end 0.7
kill myself 1.6
kill yourself 1.4
hang myself 1.4
hang yourself 1.3
cut myself 1.2
cutting myself 1.3
hurt myself 0.9
hurt myself .. purpose 1.3
harm myself 1.2
starve myself 1.2
burn myself 0.7
end my life 1.5
end it all 1
take my own life 1.5
take my life 1.2
want to die 1.3
wish i was dead 1.4
wish i were dead 1.4
if i were dead 1.2
better off without me 1.2
commit suicide 1.1
suicide is .. only 1.2
suicide method 1.1
suicidal 0.8
way to .. suicide 0.5
suicide prevention -1.5
suicide bomber -1.5
suicide hotline -1.5
overdose 0.7
pill .. overdose 0.6
how many pill 0.8
take all .. pill 1
took all .. pill 1
noose 1
not want to live 1.4
don t want to live 1.5
can t go on 0.6
cut my wrist 1.4
slit my wrist 1.5
jump off .. bridge 0.9
jumping off .. bridge 1
goodbye letter 0.9
suicide note 0.9
self harm 0.9
self injury 0.8
hate my body 0.4
`},
	{"sexual", `
unbuttoned 0.6
unbutton .. blouse 0.7
tongue down 0.6
her neck 0.2
do to me in bed 1.1
in bed with me 0.7
get me off 1
straddled 0.7
climax 0.7
lewd 1
touching myself 1.1
touch myself 1.1
hardcore video 1
hardcore 0.3
skin on skin 0.7
his hand on her 0.5
her bottom 0.5
steamy scene 1
steamy 0.5
steamy .. shower 0.5
intercourse 0.8
intercourse between the -1
girlfriend .. get me 0.5
lingerie 0.7
striptease 1
stripper 0.7
prostitute 0.6
brothel 0.7
hooker 0.7
kinky 0.9
bdsm 1.1
fetish 0.8
dildo 1.2
vibrator 0.9
condom 0.3
thrust 0.5
erection 0.9
ejaculate 1.1
cum 0.8
seduce 0.7
seductive 0.7
passionately 0.3
topless 0.7
onlyfans 0.7
xxx 0.8
nsfw 0.9
smut 1
one night stand 0.7
aroused 0.8
arousal 0.7
sensual 0.7
sex scene 1
sex toy 1.1
sex position 1.1
hookup 0.6
fuck me 1.2
gender -0.2
erotic 1
erotica 1.1
porn 1.1
pornography 0.6
pornography filter -1
have sex 1
having sex 1
sex with 0.9
sexual fantasy 1.2
orgasm 1.1
horny 1.2
blowjob 1.3
handjob 1.3
masturbate 1.2
masturbation 1
naked 0.5
naked woman 0.8
naked man 0.6
naked mole -1
nude 0.6
nude picture 1
nude photo 1
nudes 1
nude lipstick -1
make love 0.9
made love 0.9
moan 0.6
@sexed 0.7
chicken breast -1.5
breast cancer -1.5
cancer .. breast -1.5
screening .. breast -1
threesome 1.1
talk dirty 1
dirty talk 0.9
undress 0.7
took off .. bra 0.8
take it off for me 1
sexy 0.6
escort .. tonight 0.8
anal 0.7
cybersex 1.2
sexting 1.1
between her thighs 0.8
caress 0.5
lick 0.3
fucking on 1
explicit fan fiction 1
strip naked 1
sex education -1.5
sex male -1
sex female -1
`},
	{"violence", `
drowned .. children 1
drown .. @man 0.9
lined up .. fired 1
gouge 0.9
gouged out 0.4
eyes with a 0.3
set .. on fire 0.8
set .. guy on fire 1.1
axe 0.3
split her head 1.1
split his head 1.1
mowed down 1.1
skinned him 1
skinned 0.5
hung .. from a bridge 0.9
driving a .. into 0.6
drive a .. into the crowd 1.1
into the parade 0.4
into the crowd 0.5
hitting the boy 0.9
hit .. with a belt 0.9
until he stopped moving 1
until she stopped moving 1
stop moving 0.3
tore off .. leg 1.2
tore off .. arm 1.2
grenade 0.6
bled out 0.9
bleed to death 1.2
bled to death 1.2
riddled with bullet 1.2
bullet through 0.8
in the head 0.3
gunned down 1.2
execute .. prisoner 1.1
executed 0.4
executed .. @man 0.9
impale 1
disembowel 1.2
mutilate 1
stabbing 0.7
stabbed 0.8
chopped off 0.8
hacked to death 1.3
bludgeon 1.1
pummel 0.6
attacked .. with a knife 1
attacked .. with a 0.5
machete 0.6
chainsaw 0.4
pour .. gasoline .. on him 1
hang them 0.9
hang him 0.8
kill everyone 1
kill everybody 1
shot dead 1
shot .. in the 0.7
shot to death 1
shot a hundred -1.5
crash -0.5
pancake -1
stab .. @man 1.1
shot .. @man 0.9
shoot .. @man 1
kill .. @man 1
killed .. people 1
kill .. all 0.7
murder .. @man 0.9
beat .. to death 1.4
beheaded 1.2
behead 1.2
decapitate 1.2
bomb the 0.8
bomb .. building 0.9
blow up .. building 0.9
suicide bomber 0.9
blew himself up 0.9
opened fire 0.9
massacre 1
slaughter .. @man 1
shoot up .. 0.4
shoot up the 0.9
torture 0.7
torture them 0.6
slit .. throat 1.3
cut off .. @body 0.8
corpse 0.5
dismember 1.2
gut spilled 0.9
guts .. spill 0.9
pool of blood 1
blood spray 1
bullet hit 0.7
skull 0.4
lynch 1.2
assassinate 1.2
strangle .. @man 1.2
burn .. alive 1.3
kick .. @man until 0.8
rib break 0.5
smash .. @body against 1.2
smash her head 1
smash his head 1
bash .. skull 1.1
burn the place down 0.8
genocide 0.6
rape 1
knife .. in 0.2
kill it -1
kill the process -2
kill process -2
kill weed -2
kill me -0.5
`},
}
