# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Training script: word counts, a small stack machine, packages with methods,
# sorting and formatting. Prints checksums only. No modules: miniperl has no
# compiled ones. Usage: perl train.pl [scale]

my $scale = shift || 4;
my $state = 12345;

sub number {
    my ($bound) = @_;
    $state = ($state * 69069 + 1) % 4294967296;
    return int($state / 65536) % $bound;
}

sub text {
    my ($count) = @_;
    my @syllables = qw(ka le mi no ru sa te wi);
    my @words;
    for (1 .. $count) {
        push @words, join '', map { $syllables[number(8)] } 1 .. 1 + number(3);
    }
    return join ' ', @words;
}

sub word_count {
    my %seen;
    $seen{$_}++ for split / /, text(2500);
    my @top = sort { $seen{$b} <=> $seen{$a} || $a cmp $b } keys %seen;
    return join ',', map { "$_=$seen{$_}" } @top[0 .. 4];
}

sub stack_machine {
    my @program = map { (qw(push push add dup mul swap drop))[number(7)] } 1 .. 3000;
    my @stack = (1, 2, 3);
    for my $op (@program) {
        if ($op eq 'push') { push @stack, number(100) }
        elsif ($op eq 'dup') { push @stack, $stack[-1] }
        elsif (@stack < 2) { push @stack, 1 }
        elsif ($op eq 'add') { my $top = pop @stack; $stack[-1] += $top }
        elsif ($op eq 'mul') { my $top = pop @stack; $stack[-1] = $stack[-1] * $top % 9973 }
        elsif ($op eq 'swap') { @stack[-1, -2] = @stack[-2, -1] }
        else { pop @stack }
    }
    my $sum = 0;
    $sum += $_ for @stack;
    return scalar(@stack) . "/$sum";
}

package Counter;
sub new { my ($class, $step) = @_; return bless { step => $step, total => 0 }, $class }
sub bump { my $self = shift; $self->{total} += $self->{step}; return $self }
sub total { return $_[0]{total} }

package main;

sub objects {
    my @all = map { Counter->new($_) } 1 .. 20;
    for my $round (1 .. 120) { $_->bump for @all }
    my $sum = 0;
    $sum += $_->total for @all;
    return $sum;
}

sub clean {
    my $hits = 0;
    for my $line (map { text(6) . ' ' . number(1000) . ';' } 1 .. 300) {
        $line =~ s/\s+/ /g;
        $hits += $1 if $line =~ /(\d+);$/;
        $hits++ while $line =~ /[aeiou]{2}|ka/g;
        (my $upper = $line) =~ tr/a-z/A-Z/;
        $hits += length sprintf '%-12s|%5d', substr($upper, 0, 10), $hits;
    }
    return $hits;
}

for my $round (1 .. $scale) {
    print join("\t", $round, word_count(), stack_machine(), objects(), clean()), "\n";
}
