"""Where a sentence ends on its line: marks and their trail, abbreviations, brackets, labels, other scripts."""

from tests.splitting.marked_text import check


def test_every_mark_ends_a_sentence():
    check(*(f"S⟦The gate is open{mark}⟧ S⟦Come in.⟧" for mark in (
        ".", "?", "!", "…", "...", "?!", "!!", "??", ". . .",
    )))  # fmt: skip


def test_what_trails_the_mark_belongs_to_the_sentence():
    for trail in (
        '."', ".”", ".)", ".**", ".*", ".[1]", ".[1][2]", ". [1] [2]", ".[^1]", ".¹", ".¹²", ". (Moreno et al., 2020)",
        ". [Moreno 2020]", ". [1, 3–5]", "! 😀", "! 👍🏽👍🏽", ". :)", ".<sup>1</sup>", ". ([source](https://x.org/a))",
    ):  # fmt: skip
        opening = {'."': '"', ".”": "“", ".)": "(", ".**": "**", ".*": "*"}.get(trail, "")
        check(f"S⟦{opening}The gate is open{trail}⟧ S⟦Come in.⟧")


def test_no_sentence_ends_inside():
    check(*(f"S⟦{text}⟧" for text in (
        "It holds, i.e. nearly always.", "See e.g. Fig. 3 and Figs. 4–6.", "As in Eq. (4), Eqs. 5 and 6, Tab. 2.",
        "We follow Moreno et al. (2020) and Sec. 4.", "See Ref. [7], No. 5, Ch. 3, vol. 2, pp. 5–7.",
        "Cats vs. Dogs is a game.", "It was cf. Lemma 2, Prop. 4, and Cor. 1.", "The age is ca. 1900 and approx. 5 m.",
        "Dr. Moreno met Prof. Osei and St. Clair.", "A. M. Turing met J. K. Osei.", "Osei, Jr., came.",
        "Foo Corp. and Bar Ltd. merged.", "The U.S. Senate met.", "The meeting is at 5 p.m. Monday.",
        "He has a Ph.D. in law.", "On Jan. 5 and in Dec. 2020 it snowed.", "We saw Bacillus sp. and E. coli.",
        "It is version 3.1.4 of v. 2.", "See notes.txt or example.com now.", "Under Art. II of the charter it is so.",
        "See Fig. A for maps.", "Figs. B and C show Sec. III of Vol. IX.", "Thm. A, Eq. B and App. C.2 imply Cor. D.",
        "Nr. IV is in Ch. XI on pp. ix–xii.", "See app. B for the code.", "Art. I was amended.",
        "Art. I was later amended.", "In Art. I has no force.", "Art. A was repealed.", "Vol. I had 300 pages.",
        "See Fig. I was redrawn.", "Sec. I will be revised.", "U.S. Const. art. I, § 8.",
        "GATT art. V, para. 2 applies.", "It says so in the ICCPR, art. X, too.", "U.S. Const. art. V (amendment).",
        "Il s'agit de l'art. L. 123.", "It is so under art. I section 8.", "In Fig. A we show it.",
        "Fig. A illustrates it.", "In Sec. A this is shown.", "Tab. I presents results.", "Sec. I discusses it.",
        "Art. I sets out the rules.", "Er liest in Bd. I von Kant.", "L’art. 3 dit cela.", "El cap. 5 trata de la ley.",
        "Ver el cap. I para más detalles.", "Nach Abs. 2 und § 5 abs. 3 gilt das.", "See cap. 5 of the law.",
        "The GDPR art. 5 says so, and so does art. 6 of it.", "Chap. B covers it.", "Vol. I of three is lost.",
        "Fig. S1 and Tab. A1 are new.", "Siehe Abb. B und Kap. III in Bd. IX.", "См. рис. А и гл. IV в т. II.",
        "Voir chap. IV et fig. B, t. II, p. 5.", "Véase el cap. IV, núm. II, pág. 5.",
        "Published in Proc. Natl. Acad. Sci. U.S.A. in 2019.", "It works... sort of.", "Wait… what?",
        "Is it so? or not?", "Fruit, nuts, etc. are sold.", "Yahoo! Mail is old.",
        "See 42 U.S.C. § 1983 and Fed. R. Civ. P. 12(b)(6).", "P.S. I left.", "It cost Rs. 500 and max. 5 more.",
        "The terms resp. follow.", "Washington, D.C. is hot.", "It cost 3.50 in No. 10 Downing St. yesterday.",
    )))  # fmt: skip


def test_an_abbreviation_may_end_a_sentence_where_another_plainly_starts():
    check(
        "S⟦He lives in the U.S.⟧ S⟦They do not.⟧", "S⟦It ended in phase A.⟧ S⟦The second did not.⟧",
        "S⟦It saves cost, time, etc.⟧ S⟦This matters.⟧", "S⟦It was shown by Osei et al.⟧ S⟦The proof is short.⟧",
        "S⟦He works at Acme Inc.⟧ S⟦He likes it.⟧", "S⟦It began at 5 p.m.⟧ S⟦We left.⟧",
        "S⟦Is it so?⟧ S⟦No.⟧ S⟦The gate fell.⟧", "S⟦Add 3 oz.⟧ S⟦Stir for 5 min.⟧ S⟦Serve.⟧", "S⟦So do I.⟧ S⟦You too?⟧",
        "S⟦It lacks vitamin C.⟧ S⟦Oranges have it.⟧", "S⟦It happened in 2019.⟧ S⟦35 came.⟧",
        "S⟦The answer is C.⟧ S⟦Lima is the capital.⟧", "S⟦See [3].⟧ S⟦[4] shows it.⟧", "S⟦I use Yahoo!⟧ S⟦It is old.⟧",
        "S⟦He liked the art.⟧ S⟦I was amazed.⟧", "S⟦No.⟧ S⟦I was wrong.⟧", "S⟦It took 5 sec.⟧ S⟦I was late.⟧",
        "S⟦He teaches modern Art.⟧ S⟦I was born there.⟧", "S⟦It has no app.⟧ S⟦I had one.⟧",
        "S⟦He said no.⟧ S⟦A man came.⟧", "S⟦Is it B?⟧ S⟦No.⟧ S⟦C is right.⟧", "S⟦It is art.⟧ S⟦I was there.⟧",
        "S⟦We used the app.⟧ S⟦C is a language.⟧", "S⟦See Sec. II.⟧ S⟦The proof is short.⟧",
        "S⟦He loves art.⟧ S⟦I, for one, do not.⟧", "S⟦She has a degree in art.⟧ S⟦I was told so.⟧",
        "S⟦Он родился в 1990 г.⟧ S⟦5 лет спустя переехал.⟧", "S⟦Он стоит 10 р.⟧ S⟦5 человек купили.⟧",
        "S⟦He put on his cap.⟧ S⟦12 men saw it.⟧", "S⟦He has great abs.⟧ S⟦5 people said so.⟧",
        "S⟦He is a reg.⟧ S⟦5 of them came.⟧", "S⟦It isn't.⟧ S⟦5 men came.⟧", "S⟦We'll.⟧ S⟦5 men came.⟧",
        "S⟦One sec.⟧ S⟦I am here.⟧", "S⟦Custa 5 vol.⟧ S⟦O autor é bom.⟧", "S⟦Press tab.⟧ S⟦A menu opens.⟧",
        "S⟦Let x be n.⟧ S⟦Then y is m.⟧", "S⟦She has a Ph.D.⟧ S⟦Historically, few had.⟧",
    )  # fmt: skip


def test_a_sentence_may_start_in_lower_case_where_the_word_is_written_so():
    check(*(f"S⟦The level fell.⟧ S⟦{start} matters here.⟧" for start in (
        "mRNA", "p-values", "α", "iPhone", "eBay", "pH", "k-means", "x", "tRNA", "macOS", "`ls`", "$n$", "\\(n\\)",
    )))  # fmt: skip


def test_lower_case_and_brackets_at_the_end_of_a_sentence():
    check(
        "S⟦It rose. and it fell.⟧ S⟦Then it rose.⟧", "S⟦How clear is it? (1 to 5)⟧",
        "S⟦It burns.⟧ S⟦It needs two things. (heat, air)⟧", "S⟦(This is one. And this.)⟧",
        "S⟦It works.⟧ S⟦(See Fig. 2 for details.)⟧ S⟦Then we go.⟧",
    )  # fmt: skip


def test_what_is_never_closed_protects_nothing_bold_may_be_cut_and_colons_never_cut():
    check(
        "S⟦He took (one.⟧ S⟦We took two.⟧ S⟦They took [three.⟧ S⟦All left.⟧", 'S⟦He took "one.⟧ S⟦We took two.⟧',
        "S⟦**The short answer is no.⟧ S⟦The long one is dull.**⟧ S⟦*Read on!*⟧",
        "S⟦Three came: Ann; Ben; and Cy – the last late.⟧ S⟦One left.⟧",
    )  # fmt: skip


def test_nothing_is_cut_inside():
    check(*(f"S⟦He took {inside} and left.⟧ S⟦We stayed.⟧" for inside in (
        "(why? Nobody knows.)", "[a. B]", "`a. B`", "$x = 1. Y$", "\\(a. B\\)", "[the text. More](https://x.org/a. B)",
        "https://x.org/a?B=c", "(hammers, saws, etc.)", "(one (two. Three) four. Five)",
    )))  # fmt: skip


def test_a_label_stays_with_its_sentence_and_a_bold_sentence_is_none():
    check(
        "S⟦**Speed.** It runs in 2 s.⟧ S⟦It is fast.⟧", "S⟦*Depth*: It is shallow.⟧ S⟦It is wide.⟧",
        "S⟦Ann: Hello.⟧ S⟦Come in.⟧", "S⟦**Cost** – it is low.⟧", "S⟦**It is fast.**⟧ S⟦It runs in 2 s.⟧",
        "S⟦Step 1. Open the gate.⟧ S⟦Step 2. Close it.⟧", "S⟦Proof. Let x be given.⟧ S⟦Then it holds.⟧",
        "S⟦**Is it fast?**⟧ S⟦Yes.⟧",
    )  # fmt: skip


def test_greek_questions_numbers_missing_spaces_and_emoji():
    check(
        "S⟦Τι είναι το machine learning στην πράξη;⟧ S⟦Είναι λογισμικό.⟧", "S⟦Τι κάνει;⟧ S⟦Python είναι.⟧",
        "S⟦Let the parameters be αβ; Then we continue.⟧ S⟦It is short.⟧", "S⟦The word is λόγος; The Greeks had it.⟧",
        "I⟦αβ; Γδ⟧", "(1) S⟦Open it.⟧ S⟦(2) Close it.⟧", "S⟦Do this.⟧ S⟦2. Close it.⟧ S⟦3. Lock it.⟧",
        "S⟦It fell.[1]⟧S⟦Then it rose.⟧", "S⟦It has fallen.⟧S⟦The gate rose.⟧", "S⟦Use System.Out or Node.js here.⟧",
        "S⟦Sure! 👍🏽⟧ S⟦Here it is. 😊🎉⟧ S⟦Thanks :) a lot.⟧",
        "S⟦It has (1) a lid; (2) a base; and (3) a seal.⟧ S⟦It is old.⟧",
        "S⟦It has: 1. Lid 2. Base 3. Seal.⟧ S⟦It is old.⟧",
    )  # fmt: skip


def test_other_scripts_have_their_own_marks():
    check(
        "S⟦门开了。⟧S⟦我们走吧！⟧S⟦真的吗？⟧", "S⟦门が開いた。⟧S⟦「はい。」と言った。⟧",
        "S⟦هل هذا صحيح؟⟧ S⟦نعم.⟧ S⟦هذا جيد.⟧",
        "S⟦यह एक द्वार है।⟧ S⟦वह खुला है।⟧", "S⟦Дверь открыта.⟧ S⟦Войдите!⟧", "S⟦Η πόρτα άνοιξε.⟧ S⟦Ελάτε.⟧",
        "S⟦他说：“门开了。走吧。”⟧S⟦我们走了。⟧",
    )  # fmt: skip
